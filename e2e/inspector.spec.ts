/** What the inspector tells of each kind of thing, and what the stage says of it beside: driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const inspector = (page: Page) => page.getByRole("region", { name: "Selected" });

test("what a failure took is struck through on the node and in the inspector, until replay has brought it back", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.press("n");
  const total = app.element("subtask:total[1]");
  // Behind the checkpoint it has something to lose.
  const value = total.locator(".card-value").first();
  const kept = await value.textContent();
  for (let i = 0; i < 200 && (await value.textContent()) === kept; i++) await app.press(".");
  await total.click({ position: { x: 60, y: 40 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await app.stepUntil(/^The JobManager (learns|notices)/, ".", 50);
  await expect(inspector(page)).toContainText("what its failed attempt had");
  await expect(inspector(page).locator("del")).not.toHaveCount(0);
  await app.stepUntil(/^Attempt #1 takes the place of total\[1\]/, ".", 200);
  await app.stepUntil(/total\[1\].*restore|restor.*total\[1\]/i, ".", 60);
  await expect(total).toHaveAttribute("aria-label", /before the failure: /);
  const struck = page.locator(".layer-ghosts .card-ghost");
  await expect(struck).not.toHaveCount(0);
  await expect(page.locator(".layer-legend")).toContainText("lost, until replayed");
  await expect(inspector(page)).toContainText("until replay has brought it there again");
  expect(await problems(page)).toEqual([]);
  await app.toEnd();
  await expect(struck).toHaveCount(0);
  await expect(inspector(page).locator("del")).toHaveCount(0);
});

const twoJobs = {
  format: 1,
  id: "mine",
  title: { en: "Mine" },
  job: {
    vertices: [
      { uid: "S", type: "kafka-source", parallelism: 1, topic: "in", groupId: "g" },
      { uid: "T", type: "keyed-sum", parallelism: 1 },
      {
        uid: "K",
        type: "kafka-sink",
        chain: false,
        topic: "out",
        delivery: "exactly-once",
        properties: { "transaction.timeout.ms": "15 min" },
      },
    ],
    edges: [
      { from: "S", to: "T", ship: "hash" },
      { from: "T", to: "K", ship: "rebalance" },
    ],
  },
  topics: { in: { partitions: 1, records: 60, every: "50 ms", keys: 4 }, out: { partitions: 1 } },
  config: {
    "execution.checkpointing.interval": "600 ms",
    "execution.checkpointing.num-retained": 2,
    "execution.checkpointing.dir": "s3://demo/ck",
    "execution.checkpointing.savepoint-dir": "s3://demo/sp",
    "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
  },
  initialDelay: "200 ms",
  until: { time: "6 s" },
  faults: [
    { at: { time: "1300 ms" }, do: "trigger-savepoint" },
    { at: { time: "2500 ms" }, do: "cancel" },
    { at: { after: "JobStatusChanged", to: "CANCELED" }, do: "restore", from: "savepoint" },
  ],
};

test("what the job before has left stays on the storage strip, with its owner, and the inspector has its directories", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  const buffer = Buffer.from(JSON.stringify(twoJobs));
  await page.getByTestId("file").setInputFiles({ name: "mine.json", mimeType: "application/json", buffer });
  await expect(app.button(/^Scenario: Mine/)).toBeVisible();
  await app.button("Pause").click();
  await app.toEnd();
  const strip = page.locator(".layer-earlier");
  await expect(strip).toContainText("yours, job 1");
  await expect(strip).toContainText("Flink, job 1");
  await expect(app.element("storage")).toHaveAttribute("aria-label", /savepoint 3 of job 1/);
  await app.element("storage").click({ position: { x: 8, y: 8 } });
  await expect(inspector(page)).toContainText("Files of job 1");
  await expect(inspector(page)).toContainText("Files of job 2");
  await expect(inspector(page)).toContainText("taskowned empty");
  await expect(inspector(page)).toContainText(/chk-5 \d+ files?, .*with _metadata/);
  expect(await problems(page)).toEqual([]);
});

test("a task's channels say their credit, where a barrier stands, and what lies in them", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.stepUntil(/Barrier 1 reaches total\[0\]/);
  await app.element("subtask:total[1]").click({ position: { x: 60, y: 40 } });
  await inspector(page).getByRole("tab", { name: "Channels" }).click();
  const line = inspector(page).locator(".channel-line").filter({ hasText: "orders[0]" });
  await expect(line).toContainText(/\d of \d+, \d+ credits?/);
  await expect(line).toContainText("barrier 1 is next");
  await expect(line).toContainText("Next first: barrier 1");
  await expect(line.locator(".channel-ribbon .epoch-flag")).toHaveText("1");
  expect(await problems(page)).toEqual([]);
});

test("checkpoint storage is switched off and on again in the inspector, by key", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.element("storage").focus();
  await page.keyboard.press("Enter");
  const available = inspector(page).getByRole("switch", { name: "Checkpoint storage is available" });
  await expect(available).toBeChecked();
  await available.focus();
  await page.keyboard.press("Space");
  await app.idle();
  await expect(available).not.toBeChecked();
  await expect(inspector(page)).toContainText("no: writes and reads of snapshots fail");
  expect(await problems(page)).toEqual([]);
  await available.press("Space");
  await app.idle();
  await expect(available).toBeChecked();
});
