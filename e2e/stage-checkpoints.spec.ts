/** What the stage and the panels show of checkpoints under way: driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";
import { wordsOnWords } from "./words-on-words.ts";

async function openScenario(page: Page, name: RegExp): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name }).click();
  await expect(page.locator(".scenario-title")).toContainText(name);
  await app.button("Pause").click();
  await toStart(app);
  return app;
}

async function toStart(app: AppPage): Promise<void> {
  await app.page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
}

/** To the trigger of a checkpoint: past the ends of those before, then phase by phase. */
async function toTrigger(app: AppPage, checkpoint: number, ends = checkpoint - 1): Promise<void> {
  for (let i = 0; i < ends; i++) await app.press("n");
  await app.stepUntil(new RegExp(`^Checkpoint ${checkpoint} starts`));
}

/** The open scenario with other options, by the editor. */
async function withOptions(app: AppPage, options: { readonly [key: string]: string | number }): Promise<void> {
  const { page } = app;
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const scenario = JSON.parse(await area.inputValue()) as { config: object };
  await area.fill(JSON.stringify({ ...scenario, config: { ...scenario.config, ...options } }));
  await app.button("Run this scenario").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  const pause = app.button("Pause");
  await expect(pause).toBeVisible();
  await pause.click();
  await toStart(app);
}

const inspector = (page: Page) => page.getByRole("region", { name: "Selected" });

test("a blocked channel can be clicked: what it buffers, in order, and for whom it waits", async ({ page }) => {
  const app = await openScenario(page, /Shuffle/);
  await toTrigger(app, 1);
  await app.stepUntil(/stops reading/, ".", 100);
  const blocked = page.locator(".element-channel:has(.lock-body)").first();
  await expect(blocked).toHaveAttribute("aria-label", /blocked behind barrier 1/);
  // Records go on coming in behind the barrier, and wait.
  await app.stepUntil(/is aligned for checkpoint 1|sends in-/, ".", 100);
  await blocked.locator(".lock-back").click();
  await expect(inspector(page)).toContainText("blocked behind barrier 1");
  await expect(inspector(page)).toContainText(/still waits for the barriers of/);
  await expect(page.locator(".channel-contents, dd", { hasText: /before barrier 2|empty/ }).first()).toBeVisible();
  expect(await problems(page)).toEqual([]);
});

test("an unaligned barrier overtakes; what it overtakes is stored, and who holds everybody up is marked", async ({
  page,
}) => {
  const app = await openScenario(page, /Unaligned: barriers/);
  await toTrigger(app, 2);
  await app.stepUntil(/^Barrier 2 overtakes \d+ records/, ".", 100);
  await expect(page.locator(".layer-legend")).toContainText("being stored");
  await expect(app.element("subtask:clicks[0]")).toHaveAttribute("aria-label", /unaligned/);
  await app.element("channel:clicks[0]->all[0]").focus();
  await page.keyboard.press("Enter");
  await expect(inspector(page)).toContainText("being stored in 2, by its sender");

  const cause = app.element("subtask:count[0]");
  await expect(cause).toHaveAttribute("aria-label", /the slow one: it holds back clicks\[0\], all\[0\], all\[1\]/);
  await expect(cause.locator(".hourglass")).toBeVisible();
  await expect(app.element("subtask:all[0]").locator(".hourglass")).toHaveCount(0);
  await app.element("subtask:all[0]").click({ position: { x: 60, y: 40 } });
  await expect(inspector(page)).toContainText(/backpressured \d+ % \(HIGH\)/);
  await inspector(page).getByRole("button", { name: "count[0]" }).first().click();
  await expect(inspector(page)).toContainText("count[0] is the slow one; it holds back");
  expect(await problems(page)).toEqual([]);
});

test("the aligned timeout switches a subtask in front of one's eyes", async ({ page }) => {
  const app = await openScenario(page, /Aligned with a timeout/);
  await toTrigger(app, 3);
  await app.toFirst("from now on it is unaligned");
  const sentence = await app.sentence.innerText();
  const name = /are not all at (\S+) 100 ms/.exec(sentence)?.[1] ?? "";
  const subtask = app.element(`subtask:${name}`);
  await expect(subtask.locator(".badge-word")).toHaveText("A→U");
  await expect(subtask).toHaveAttribute("aria-label", /aligned first, unaligned since/);
});

test("several barriers in flight: each with its number, and a card for each checkpoint", async ({ page }) => {
  const app = await openScenario(page, /Unaligned: barriers/);
  await withOptions(app, {
    "execution.checkpointing.unaligned.enabled": "false",
    "execution.checkpointing.interval": "100 ms",
    "execution.checkpointing.max-concurrent-checkpoints": 3,
  });
  await toTrigger(app, 3, 0);
  const flags = page.locator(".layer-checkpoints .element-checkpoint:has(.card-hit) .flag-numeral");
  await expect(flags).toHaveText(["3", "2", "1"]);
  await app.toFirst("The next checkpoint waits: 3 are pending");
  await expect(page.locator(".element-jobManager")).toContainText("Next: waits, 3 of 3 pending");
  for (const width of [1440, 1280, 1000, 720, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator(".checkpoint-count")).toHaveText([/^2\/7/, /^2\/7/, /^2\/7/]);
    await expect.poll(() => wordsOnWords(page), { message: `at ${width} px` }).toEqual([]);
  }
});

test("why the next checkpoint waits is told on the stage, and leads to what it waits for", async ({ page }) => {
  const app = await openScenario(page, /Unaligned: barriers/);
  const jobManager = page.locator(".element-jobManager");
  await expect(jobManager).toContainText("Next: waits until all tasks are RUNNING");
  await withOptions(app, { "execution.checkpointing.interval": "60 ms" });
  await toTrigger(app, 1);
  await expect(jobManager).toContainText(/Next: at 0\.\d+ s, every 60 ms/);
  await app.toFirst("The next checkpoint waits: 1 is pending");
  await expect(jobManager).toContainText("Next: waits, 1 of 1 pending");
  await jobManager.click({ position: { x: 60, y: 20 } });
  await expect(inspector(page)).toContainText("1 of 1 pending, and no more may be at once");
  const pending = inspector(page).locator("dd", { hasText: "It waits for checkpoint" }).getByRole("button");
  const number = await pending.innerText();
  await pending.click();
  await expect(inspector(page).locator(".inspector-name")).toHaveText(`Checkpoint ${number}`);
  await expect(inspector(page)).toContainText("IN_PROGRESS");
});

test("a declined checkpoint is crossed, with Flink's reason and whether it counts", async ({ page }) => {
  const app = await openScenario(page, /Unaligned: barriers/);
  await withOptions(app, { "execution.checkpointing.tolerable-failed-checkpoints": 2 });
  await app.press("n");
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
  await app.element("subtask:all[1]").click({ position: { x: 60, y: 40 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Fail its next snapshot while it is written/ }).click();
  await app.idle();
  await app.stepUntil(/^Checkpoint 2 fails/);
  await expect(app.sentence).toContainText("It counts: 1 in a row, 2 tolerable.");
  await expect(page.locator(".card-crossed")).toHaveCount(1);
  await expect(page.locator(".layer-checkpoints")).toContainText("Asynchronous task checkpoint failed. It counts.");
  await page.locator(".layer-checkpoints .element-checkpoint").first().click();
  await expect(inspector(page)).toContainText("It counts: 1 in a row, 2 tolerable.");
  await app.tab("Checkpoints");
  await expect(page.locator('tr[data-checkpoint="2"]')).toContainText("It counts: 1 in a row, 2 tolerable.");
  expect(await problems(page)).toEqual([]);
});

test("an expired checkpoint says so, on its card too, and that it counts", async ({ page }) => {
  const app = await openScenario(page, /Unaligned: barriers/);
  await withOptions(app, {
    "execution.checkpointing.unaligned.enabled": "false",
    "execution.checkpointing.timeout": "150 ms",
    "execution.checkpointing.tolerable-failed-checkpoints": 5,
  });
  await app.stepUntil(/^Checkpoint \d+ fails/);
  await expect(app.sentence).toContainText("Checkpoint expired before completing. It counts: 1 in a row, 5 tolerable.");
  await expect(page.locator(".layer-checkpoints")).toContainText("Checkpoint expired before completing. It counts.");
});

test("a subsumed checkpoint says why it is gone", async ({ page }) => {
  const app = await openScenario(page, /Kafka to Kafka/);
  await app.stepUntil(/^Checkpoint 1 starts/);
  await page.locator(".layer-checkpoints .element-checkpoint").first().click();
  await app.press("n");
  await app.press("n");
  await expect(app.sentence).toContainText("Checkpoint 2 is complete");
  await expect(inspector(page)).not.toContainText("Subsumed");
  await app.press(".");
  await expect(app.sentence).toContainText("Checkpoint 1 is no longer needed and is deleted");
  await expect(inspector(page)).toContainText("newer ones are complete, and no more are kept. Its files are deleted.");
});

test("a click on a bar of the timeline moves the run to that instant", async ({ page }) => {
  const app = await openScenario(page, /Aligned with a timeout/);
  await app.toEnd();
  await app.tab("Checkpoints");
  await app.button("Checkpoint 2 by subtask").click();
  const bar = page.locator("button.gantt-bar.alignment").first();
  const from = /, (\d+\.\d+ s) to /.exec((await bar.getAttribute("aria-label")) ?? "")?.[1] ?? "none";
  await bar.click();
  await app.idle();
  await expect(page.locator(".position")).toContainText(from);
});
