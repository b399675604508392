/** Trouble is told at the thing: a job that failed for good, readers that wait, a planned fault that does nothing. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** A job without a second chance, whose database holds what it has prepared. */
const last = (faults: readonly object[]) => ({
  format: 1,
  id: "last",
  title: { en: "Last" },
  job: {
    vertices: [
      { uid: "S", type: "kafka-source", topic: "in", groupId: "g", chain: false },
      { uid: "T", type: "keyed-sum", chain: false },
      { uid: "K", type: "two-phase-commit-sink", chain: false },
    ],
    edges: [
      { from: "S", to: "T", ship: "hash" },
      { from: "T", to: "K", ship: "rebalance" },
    ],
  },
  topics: { in: { partitions: 1, records: 40, every: "50 ms", keys: 4 } },
  config: { "execution.checkpointing.interval": "600 ms", "restart-strategy.type": "none" },
  until: { time: "5 s" },
  faults,
});

async function opened(app: AppPage, faults: readonly object[]): Promise<void> {
  await app.open();
  const buffer = Buffer.from(JSON.stringify(last(faults)));
  await app.page.getByTestId("file").setInputFiles({ name: "last.json", mimeType: "application/json", buffer });
  await expect(app.button(/^Scenario: Last/)).toBeVisible();
  await app.button("Pause").click();
  await app.idle();
}

test("E-30: a job that failed for good says why; the strategy is changed and the run forks at the failure", async ({
  page,
}) => {
  const app = new AppPage(page);
  await opened(app, [{ at: { time: "1500 ms" }, do: "fail-task", target: "T[0]" }]);
  await app.toEnd();
  await app.element("jobManager").click();
  const note = page.locator('[data-trouble="E-30"]').first();
  await expect(note).toContainText("There is no restart strategy");
  expect(await problems(page)).toEqual([]);
  await note.getByRole("button", { name: "Change the strategy and fork at the failure" }).focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Configuration" });
  await expect(drawer.getByRole("searchbox", { name: "Search keys" })).toHaveValue("restart-strategy");
  await expect(page.locator(".job-chip")).toContainText("RUNNING");
  await page.keyboard.press("Escape");
  await app.toEnd();
  await note.getByRole("button", { name: "Why?" }).click();
  await app.idle();
  await expect(page.getByRole("button", { name: /Why/ }).first()).toHaveAttribute("aria-expanded", "true");
});

test("E-30: after an error that no restart mends no strategy is offered: none was asked", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Throw an exception that no restart mends/ }).click();
  await app.idle();
  await app.toEnd();
  await app.element("jobManager").click();
  const note = page.locator('[data-trouble="E-30"]').first();
  await expect(note).toContainText("No restart strategy is asked after such an error");
  await expect(note.getByRole("button", { name: /^Start/ })).toBeVisible();
  await expect(note.getByRole("button", { name: /Change the strategy/ })).toHaveCount(0);
});

test("E-33: what a database has prepared waits for a coordinator that is gone; it is brought back, or the trade-off is shown", async ({
  page,
}) => {
  const app = new AppPage(page);
  await opened(app, [{ at: { after: "SnapshotTaken", subtask: "K[0]", checkpoint: 2 }, do: "kill-jobmanager" }]);
  await app.toEnd();
  await app.element("jobManager").focus();
  await page.keyboard.press("Enter");
  const note = page.locator('[data-trouble="E-33"]').first();
  await expect(note).toContainText("K-0-2 holds its locks and waits for the coordinator.");
  expect(await problems(page)).toEqual([]);
  await note.getByRole("button", { name: /^Bring the coordinator back/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await note.getByRole("button", { name: "See the trade-off" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("E-36: a planned fault that finds nothing to do says what was missing", async ({ page }) => {
  const app = new AppPage(page);
  await opened(app, [{ at: { time: "900 ms" }, do: "storage-up" }]);
  await app.toEnd();
  await app.tab("Branches");
  await expect(page.locator('[data-trouble="E-36"]')).toContainText(
    "was placed at 0.900 s, but checkpoint storage was there then.",
  );
});

test("E-36: a planned fault whose task did not run then is moved to where it runs, by key", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const plan = async (time: string): Promise<void> => {
    await app.element("subtask:total[1]").focus();
    await page.keyboard.press("F");
    await page.getByRole("menuitemradio", { name: "as soon as it is RUNNING again" }).click();
    await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
    await app.idle();
    await app.tab("Branches");
    await page.getByRole("button", { name: /^Change: fail total\[1\] as soon/ }).click();
    const editor = page.getByRole("dialog", { name: "Planned: fail total[1]" });
    await editor.getByRole("combobox", { name: "When" }).selectOption("at a time");
    await editor.getByRole("textbox", { name: /^Time/ }).fill(time);
    await editor.getByRole("button", { name: "Move it there" }).click();
    await expect(editor).toBeHidden();
    await app.idle();
  };
  await plan("1500 ms");
  await plan("1700 ms");
  await app.toEnd();
  const note = page.locator('[data-trouble="E-36"]');
  await expect(note).toContainText("fail total[1] was placed at 1.700 s, but total[1] was not running then.");
  expect(await problems(page)).toEqual([]);
  await note.getByRole("button", { name: /^Move to/ }).focus();
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(note).toHaveCount(0);
});

test("E-35: while the job restarts no checkpoint can start, and the JobManager says so", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
  await app.idle();
  await app.stepUntil(/restart/i, ".");
  await app.element("jobManager").click();
  await expect(page.locator('[data-trouble="E-35"]')).toContainText("No checkpoint can start: the job does not run.");
});
