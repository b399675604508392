/** The checkpoints panel: its views, and the timeline that leads back into the run. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

async function openShuffle(app: AppPage): Promise<void> {
  await app.open();
  await app.button(/^Scenario:/).click();
  await app.page.getByRole("menuitem", { name: /shuffle/ }).click();
  await expect(app.page.locator(".scenario-title")).toContainText("Shuffle");
  await app.button("Pause").click();
  await app.toEnd();
  await app.tab("Checkpoints");
}

const clock = (page: Page): Promise<string> => page.locator(".position").innerText();

test("a bar of the checkpoint's timeline leads to the instant at which it begins", async ({ page }) => {
  const app = new AppPage(page);
  await openShuffle(app);
  await app.button("Checkpoint 2 by subtask").click();
  const bar = app.button(/^MAP\[0\]: alignment 220 ms, 0\.716 s to 0\.936 s$/);
  await bar.click();
  await app.idle();
  expect(await clock(page)).toContain("0.716 s");
  await expect(app.sentence).toContainText("Barrier 2 reaches MAP[0]");
  // The checkpoint stays in view, whole, although most of it is still to come.
  await expect(bar).toBeFocused();

  // What is too narrow to be hit is in the table, for the keyboard too.
  const sync = app.button(/MAP\[0\], sync: go to 0\.936 s/);
  await sync.focus();
  await page.keyboard.press("Enter");
  await app.idle();
  expect(await clock(page)).toContain("0.936 s");
  expect(await problems(page)).toEqual([]);
});

for (const width of [1440, 390]) {
  test(`every view has its figures and nothing that axe knows of is wrong at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const app = new AppPage(page);
    await openShuffle(app);
    await expect(page.locator('tr[data-checkpoint="3"]')).toContainText("COMPLETED");
    await app.button("Tasks of checkpoint 3").click();
    await expect(page.getByRole("table", { name: "Tasks of checkpoint 3" })).toContainText("2/2");
    expect(await problems(page), "History").toEqual([]);
    for (const [view, figure] of [
      ["Overview", "Checkpoint 3 in 303 ms"],
      ["By subtask", "start delay"],
      ["Summary", "99.9th Percentile"],
      ["Configuration", "Exactly Once"],
    ] as const) {
      await app.tab(view);
      await expect(page.locator(".checkpoint-content[data-state=active]")).toContainText(figure);
      expect(await problems(page), view).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(width);
    }
  });
}

test("Flink's REST replies can be saved", async ({ page }) => {
  const app = new AppPage(page);
  await openShuffle(app);
  await app.button(/^Scenario:/).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Save Flink's REST replies (JSON)" }).click();
  const file = await (await download).createReadStream();
  let text = "";
  for await (const part of file) text += String(part);
  const replies = JSON.parse(text) as Record<string, { counts?: unknown }>;
  const counts = replies[`GET /jobs/${"0".repeat(32)}/checkpoints`]?.counts;
  expect(counts).toEqual({ restored: 0, total: 3, in_progress: 0, completed: 3, failed: 0 });
});
