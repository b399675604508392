/** The world outside the job on the stage, the inspector of each kind of thing, and exceptions: driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const job = (sink: object, faults: readonly object[] = [], parallelism = 2): string =>
  JSON.stringify({
    format: 1,
    id: "mine",
    title: { en: "Mine" },
    job: {
      vertices: [
        { uid: "S", type: "kafka-source", parallelism, topic: "in", groupId: "g" },
        { uid: "T", type: "keyed-sum", parallelism },
        { uid: "K", parallelism: 1, chain: false, ...sink },
      ],
      edges: [
        { from: "S", to: "T", ship: "hash" },
        { from: "T", to: "K", ship: "rebalance" },
      ],
    },
    cluster: { taskManagers: 2, slots: parallelism },
    topics: { in: { partitions: parallelism, records: 40, every: "50 ms", keys: 4 }, out: { partitions: 1 } },
    config: {
      "execution.checkpointing.interval": "400 ms",
      "execution.checkpointing.num-retained": 2,
      "execution.checkpointing.dir": "s3://demo/ck",
      "execution.checkpointing.savepoint-dir": "s3://demo/sp",
      "restart-strategy.type": "fixed-delay",
      "restart-strategy.fixed-delay.attempts": 3,
    },
    initialDelay: "200 ms",
    until: { time: "6 s" },
    faults,
  });

const kafka = {
  type: "kafka-sink",
  topic: "out",
  delivery: "exactly-once",
  properties: { "transaction.timeout.ms": 60_000 },
};

async function opened(page: Page, text: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  const file = { name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await page.getByTestId("file").setInputFiles(file);
  await expect(app.button(/^Scenario: Mine/)).toBeVisible();
  await app.button("Pause").click();
  await app.idle();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  return app;
}

const output = (page: Page) => page.locator(".element-output");
const entries = (page: Page) => page.locator(".layer-entries");
const inspector = (page: Page) => page.getByRole("region", { name: "Selected" });

test("both readers stand below the topic, and differ by what is not decided", async ({ page }) => {
  const app = await opened(page, job(kafka));
  await app.toFirst("K[0] writes");
  const label = await output(page).getAttribute("aria-label");
  expect(label).toMatch(/read_committed sees 0, read_uncommitted sees 1/);
  await expect(output(page).locator(".reader-cell")).toHaveCount(1);
  await expect(output(page)).toContainText("read_committed");
  await expect(output(page)).toContainText("read_uncommitted");
  expect(await problems(page)).toEqual([]);
});

test("a table shows its rows, and that one went back", async ({ page }) => {
  const fails = { at: { time: "1390 ms" }, do: "fail-task", target: "T[0]" };
  const app = await opened(page, job({ type: "upsert-sink" }, [fails], 1));
  await app.stepUntil(/^Restart 1 is granted/, "x", 5);
  await expect(entries(page).locator(".store-entry")).toHaveCount(4);
  await expect(entries(page).locator(".spark")).toHaveCount(4);
  for (let i = 0; i < 400 && !/gone back/.test((await output(page).getAttribute("aria-label")) ?? ""); i++)
    await app.press(".");
  await expect(entries(page)).toContainText("↺");
});

test("part files show their state", async ({ page }) => {
  const files = await opened(page, job({ type: "file-sink", format: "bulk" }));
  await files.press("n");
  await files.press("n");
  await expect(entries(page)).toContainText(/pending|finished/);
});

test("what fails is in the exceptions with its fault and the decision, and each leads to its instant", async ({
  page,
}) => {
  const app = await opened(page, job(kafka));
  await app.press("n");
  await app.element("subtask:T[0]").click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await app.tab("Exceptions");
  const row = page.getByRole("table", { name: "Exception history" }).getByRole("row").nth(1);
  await app.toEnd();
  await expect(row).toContainText(/exception in user code.*T\[0\].*tm-\d.*fail T\[0\].*restart/);
  await row.getByRole("button", { name: /restart/ }).click();
  await app.idle();
  await expect(app.sentence).toContainText("Restart 1 is granted");
  expect(await problems(page)).toEqual([]);
});

test("a subtask has tabs, a thing can be kept in sight, and links lead from kind to kind", async ({ page }) => {
  const app = await opened(page, job(kafka));
  await app.press("n");
  await app.press("n");
  await app.element("subtask:T[0]").click({ position: { x: 24, y: 14 } });
  await inspector(page).getByRole("tab", { name: "Attempts" }).click();
  await expect(inspector(page)).toContainText("RUNNING");
  await inspector(page).getByRole("tab", { name: "Snapshot" }).click();
  await expect(inspector(page)).toContainText("Start delay");
  await inspector(page).getByRole("tab", { name: "Code" }).click();
  await expect(inspector(page)).toContainText("StreamGroupedReduceOperator");
  await inspector(page).getByRole("button", { name: "Pin" }).click();
  await app.element("input:in-0").click();
  await expect(inspector(page).locator(".inspector-name")).toHaveText(["in-0", "T[0]"]);
  await expect(inspector(page)).toContainText("yes: its position is in checkpoints");
  await inspector(page).getByRole("button", { name: "Unpin" }).click();
  await expect(inspector(page).locator(".inspector-name")).toHaveText(["in-0"]);
  for (const [key, says] of [
    ["output:out-0", /read_committed sees.*of 40 expected/],
    ["storage", /s3:\/\/demo\/ck/],
    ["jobManager", /fixed-delay/],
    ["checkpoint:2", /positions in-0@/],
    ["edge:S→T", /HASH/],
  ] as const) {
    await app
      .element(key)
      .first()
      .click({ position: { x: 8, y: 8 } });
    await expect(inspector(page)).toContainText(says);
  }
  expect(await problems(page)).toEqual([]);
});

test("the Fail button covers none of a vertex's words", async ({ page }) => {
  const app = await opened(page, job(kafka));
  await app.press("n");
  for (const subtask of ["T[0]", "T[1]", "K[0]"]) {
    await app.element(`subtask:${subtask}`).click({ position: { x: 24, y: 14 } });
    const button = app.button(new RegExp(`^Fail.*${subtask.replace(/[[\]]/g, "\\$&")}`)).first();
    await expect(button).toBeVisible();
    await page.waitForTimeout(200);
    const covered = await button.evaluate((node) => {
      const box = node.getBoundingClientRect();
      const words = document.querySelectorAll(".layer-vertices text, .layer-vertexLoads text, .layer-subtasks text");
      return [...words]
        .filter((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        })
        .map((text) => text.textContent);
    });
    expect(covered).toEqual([]);
  }
});

test("a large exchange opens as a matrix: told in words, walked by key, and each cell is a channel", async ({
  page,
}) => {
  const app = await opened(page, job(kafka, [], 16));
  await app.toFirst("Barrier 1 reaches T");
  await app.element("edge:S→T").locator("text").click();
  const matrix = page.getByRole("region", { name: "Channels, one cell each" });
  await expect(matrix).toContainText(/16 of 16 receivers still wait for barriers/);
  await matrix.getByRole("button", { name: "Next waiting receiver" }).click();
  await expect(matrix.locator("output")).toContainText(/to T\[1\]: \d of \d/);
  const picture = matrix.getByRole("button", { name: /^Channels, one cell each: S→T/ });
  await picture.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(matrix.locator("output")).toContainText(/S\[\d+\] to T\[2\]/);
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(inspector(page).locator(".inspector-kind")).toHaveText("Channel");
});

test.describe("in the dark, on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });

  test("readers, exceptions and the inspector have their place, and nothing is wider than the page", async ({
    page,
  }) => {
    const app = await opened(page, job(kafka));
    await app.press("n");
    await app.press("n");
    await expect(output(page)).toContainText("uncommitted");
    await app.element("subtask:T[0]").click({ position: { x: 24, y: 14 } });
    await app.tab("Selected");
    await page.getByRole("tab", { name: "Code" }).click();
    await expect(inspector(page)).toContainText("values.update(sum)");
    await app.tab("Exceptions");
    await expect(page.getByText("Nothing has failed up to here.")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await problems(page)).toEqual([]);
  });
});
