/** What the stage shows of many subtasks, and how one comes nearer: driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** A job of three vertices with so many subtasks each. */
function dense(parallelism: number) {
  return {
    format: 1,
    id: "dense",
    flink: "2.2",
    title: { en: "Dense" },
    job: {
      name: "dense",
      vertices: [
        { uid: "orders", name: "orders", type: "kafka-source", parallelism, topic: "orders" },
        { uid: "total", name: "total", type: "keyed-sum", parallelism },
        { uid: "out", name: "out", type: "kafka-sink", parallelism, topic: "totals", delivery: "at-least-once" },
      ],
      edges: [
        { from: "orders", to: "total", ship: "hash" },
        { from: "total", to: "out", ship: "rebalance" },
      ],
    },
    cluster: { taskManagers: 2, slots: Math.ceil(parallelism / 2) },
    topics: {
      orders: { partitions: parallelism, records: parallelism * 8, every: "50 ms", keys: parallelism },
      totals: { partitions: 1 },
    },
    config: { "execution.checkpointing.interval": "200 ms" },
  };
}

async function openDense(page: Page, parallelism: number): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: "dense.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(dense(parallelism))),
    });
  await expect(page.locator(".scenario-title")).toContainText("Dense");
  await app.button("Pause").click();
  await app.idle();
  return app;
}

const heading = (page: Page, vertex: number) => page.locator(`[data-heading="${vertex}"]`);

test("a vertex of twenty is cells with counts; its heading opens it, by mouse and by key, and closes it again", async ({
  page,
}) => {
  const app = await openDense(page, 20);
  await app.press("n");
  await expect(page.locator(".layer-subtasks .cell")).toHaveCount(60);
  await expect(heading(page, 1)).toHaveAttribute("aria-expanded", "false");
  await expect(heading(page, 1)).toHaveAttribute("aria-label", /^total, 20 subtasks, 20 running\./);
  expect(await problems(page)).toEqual([]);

  await heading(page, 1).click();
  await expect(heading(page, 1)).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator(".layer-subtasks .cell")).toHaveCount(40);
  await expect(app.element("subtask:total[19]")).toContainText("19");

  await app.element("subtask:total[0]").focus();
  await page.keyboard.press("ArrowUp");
  await expect(heading(page, 1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(heading(page, 1)).toHaveAttribute("aria-expanded", "false");
  await expect(heading(page, 1)).toBeFocused();
  await expect(page.locator(".layer-subtasks .cell")).toHaveCount(60);
});

test("one of twenty that fails has a row of its own beside the cells, and the counts tell it", async ({ page }) => {
  const app = await openDense(page, 20);
  await app.press("n");
  await app.element("subtask:total[7]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.stepUntil(/^The JobManager (learns|notices)/, ".", 200);
  const row = page.locator(".layer-rows .element-subtask");
  await expect(row.filter({ hasText: "failed" })).toContainText("[7]");
  await expect(heading(page, 1)).toHaveAttribute("aria-label", /total\[7\]: failed/);
  await row.filter({ hasText: "failed" }).click();
  await expect(app.element("subtask:total[7]")).toHaveAttribute("aria-current", "true");
});

test("nearer, a cell has a number and then all that a card has; a map shows where one is", async ({ page }) => {
  const app = await openDense(page, 20);
  await expect(page.locator(".stage-map")).toHaveCount(0);
  const cell = app.element("subtask:total[5]");
  await cell.focus();
  await expect(cell.locator("text")).toHaveCount(0);
  for (let i = 0; i < 6; i++) await page.keyboard.press("+");
  await expect(cell.locator(".card-name")).toHaveText("5");
  await expect(cell).toBeInViewport();
  for (let i = 0; i < 2; i++) await page.keyboard.press("+");
  await expect(cell.locator(".card-name")).toHaveText("[5]");
  await expect(page.locator(".stage-map")).toBeVisible();
  await page.keyboard.press("0");
  await expect(cell.locator("text")).toHaveCount(0);
  await expect(page.locator(".stage-map")).toBeHidden();
});

test("pointing at a line of the legend shows what it means, by mouse and by key", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.toFirst("stops reading");
  const line = page.getByRole("button", { name: "Show on the stage: waits for barriers" });
  const world = page.locator("#stage .world");
  await line.hover();
  await expect(world).toHaveClass(/lighting/);
  await expect(page.locator(".element-channel.lit")).toHaveCount(1);
  await expect(page.locator(".element-channel.lit .lock-body")).toHaveCount(1);
  await page.mouse.move(5, 5);
  await expect(world).not.toHaveClass(/lighting/);
  await line.focus();
  await expect(world).toHaveClass(/lighting/);
  await page.keyboard.press("Enter");
  await expect(line).toHaveAttribute("aria-pressed", "true");
  await app.element("subtask:total[0]").focus();
  await expect(world).toHaveClass(/lighting/);
  expect(await problems(page)).toEqual([]);
});

test("many transactions have one row on the timeline, which opens into one for each sink subtask", async ({ page }) => {
  const scenario = dense(12);
  Object.assign(scenario.job.vertices[2] ?? {}, {
    delivery: "exactly-once",
    properties: { "transaction.timeout.ms": "15 min" },
  });
  const app = new AppPage(page);
  await app.open();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "d.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(scenario)) });
  await expect(page.locator(".scenario-title")).toContainText("Dense");
  const row = page.getByRole("button", { name: /Txn out ×12/ });
  await expect(row).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByText("Txn out[11]")).toHaveCount(0);
  await row.click();
  await expect(page.getByText("Txn out[11]")).toBeVisible();
});
