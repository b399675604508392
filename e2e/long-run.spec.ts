/** A run of several hundred thousand entries: it is told while it is computed, can be stopped, and stays usable. */
import { type Locator, type Page, expect, test } from "@playwright/test";
import { longRun } from "../scripts/long-run.mjs";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** About nine entries each. */
const RECORDS = 60_000;

const bar = (page: Page): Locator => page.locator(".computing");

/** The number of the last event. */
async function last(page: Page): Promise<number> {
  const words = await page.locator(".position-step").innerText();
  return Number(/[\d,]+$/.exec(words)?.[0].replaceAll(",", ""));
}

test("a long run tells how far it is, can be stopped and gone on with, and is scrubbed, stepped back and filtered", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const app = new AppPage(page);
  await app.visitedBefore();
  await page.goto("/");
  await app.idle();
  await page.getByTestId("file").setInputFiles({
    name: "long-run.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(longRun(RECORDS))),
  });
  await expect(bar(page)).toContainText(/Computing|Checking/, { timeout: 60_000 });
  await expect(bar(page).getByRole("progressbar", { name: "Computing the run" })).toBeVisible();
  await app.button("Cancel").click();
  await app.button("Go on").waitFor({ timeout: 60_000 });
  await app.idle();
  expect(await problems(page)).toEqual([]);
  // What there is can be looked at.
  await app.toEnd();
  expect(await app.event()).toBe(await last(page));
  await expect(app.badge()).toHaveAccessibleName(/so far/);
  await app.button("Go on").click();
  await expect(page.locator("html")).toHaveAttribute("data-idle", "true", { timeout: 120_000 });
  expect(await last(page)).toBeGreaterThan(500_000);
  await app.toEnd();
  await expect(app.badge()).toHaveText("OK");

  const track = await page.getByRole("slider", { name: "Position in the run" }).boundingBox();
  if (track === null) throw new Error("the slider has a place");
  for (const share of [0.5, 0.1, 0.9]) {
    await page.mouse.click(track.x + track.width * share, track.y + track.height / 2);
    await app.idle();
    const event = await app.event();
    expect(event).toBeGreaterThan(0);
    await app.press(",");
    expect(await app.event()).toBe(event - 1);
    await expect(app.sentence).not.toBeEmpty();
  }

  await app.tab("Event log");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("CheckpointCompleted");
  const found = page.locator(".events-found");
  await expect(found).toHaveText(/^\d+ of [\d,]+ events$/, { timeout: 30_000 });
  expect(Number.parseInt(await found.innerText(), 10)).toBeGreaterThan(150);
  await expect(page.getByRole("row", { name: /CheckpointCompleted/ }).first()).toBeVisible();

  await app.tab("Space–time");
  await expect(page.locator(".space-time-picture canvas")).toBeVisible();
  await app.idle();
  await expect(bar(page)).toContainText("Keyframes were thinned");
  await bar(page).getByRole("button", { name: "Close" }).click();
  await expect(bar(page)).toHaveCount(0);
});
