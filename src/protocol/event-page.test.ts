import { expect, test } from "vitest";
import { eventPage } from "./event-page.ts";

test("docs/events.md lists every event as it is declared", async () => {
  await expect(eventPage()).toMatchFileSnapshot("../../docs/events.md");
});
