import { expect, test } from "vitest";
import { enInspector } from "./en-inspector.ts";

test("what an operator does is told in three lines, whatever it is", () => {
  for (const [type, { lines }] of Object.entries(enInspector.code)) expect(lines, type).toHaveLength(3);
});
