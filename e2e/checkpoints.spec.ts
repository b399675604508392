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
    await app.button("Details of checkpoint 3").click();
    await expect(page.getByRole("table", { name: "Tasks of checkpoint 3" })).toContainText("2/2");
    if (width < 720)
      // A table within a row of a stacked one is stacked too, with its own columns' names.
      await expect(page.locator(".subtask-rows [data-column]").nth(2)).toHaveAttribute("data-column", "Acknowledged");
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

test("what hangs on a checkpoint: its transactions, what a crash now comes to, why it is as it is, and where it ended", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.stepUntil(/out\[0\] freezes its state for checkpoint 2/);
  await app.tab("Checkpoints");
  const row = (id: number) => page.locator(`tr[data-checkpoint="${id}"]`);
  await expect(row(2)).toContainText("1 pre-committed");
  await expect(row(1)).toContainText("1 committed");
  // Nothing is computed before somebody asks.
  await expect(page.locator(".if-crashed")).toHaveCount(0);
  await app.button("Checkpoint 2: try what a crash now comes to").focus();
  await page.keyboard.press("Enter");
  await expect(row(2)).toContainText(/OK.*fails/, { timeout: 30_000 });
  await expect(row(1)).toContainText(/OK.*restored/);
  await app.button("Details of checkpoint 2").click();
  const crashes = page.getByRole("region", { name: "If crashed now" });
  await expect(crashes.getByRole("listitem")).toHaveCount(10);
  await expect(crashes).toContainText("fail out[0]: OK fails");
  await app.button("Details of checkpoint 1").click();
  expect(await problems(page)).toEqual([]);

  // Another moment, another question.
  await app.press(".");
  await expect(page.locator(".if-crashed")).toHaveCount(0);
  await app.button(/^Go to its end/).focus();
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
  await app.button("Why is checkpoint 1 as it is?").click();
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator("#why")).toBeFocused();
  await expect(page.getByRole("heading", { name: /Checkpoint 1/ }).first()).toBeVisible();
});
