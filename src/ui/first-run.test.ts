import { expect, test } from "vitest";
import { firstRun } from "./first-run.ts";

test("JSON carries what the page opens with whole, so the build may ship it so", () => {
  expect(JSON.parse(JSON.stringify(firstRun))).toStrictEqual(firstRun);
});
