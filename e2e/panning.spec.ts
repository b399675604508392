import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

const source = { type: "kafka-source", parallelism: 1, topic: "in" };

/** Two sources that join in one vertex. */
const twoSources = {
  format: 1,
  id: "two-sources",
  flink: "2.2",
  job: {
    name: "two-sources",
    vertices: [
      { uid: "left", name: "left", ...source },
      { uid: "right", name: "right", ...source },
      { uid: "sum", name: "sum", type: "keyed-sum", parallelism: 1 },
      { uid: "out", name: "out", type: "kafka-sink", parallelism: 1, topic: "out", delivery: "exactly-once" },
    ],
    edges: [
      { from: "left", to: "sum", ship: "hash" },
      { from: "right", to: "sum", ship: "hash" },
      { from: "sum", to: "out", ship: "rebalance" },
    ],
  },
  cluster: { taskManagers: 1, slots: 1 },
  topics: { in: { partitions: 1, records: 20, every: "50 ms", keys: 4 }, out: { partitions: 1 } },
};

async function view(page: Page): Promise<View> {
  const written = await page.locator("#stage .world").getAttribute("transform");
  const [, x, y, k] = /translate\((.+),(.+)\) scale\((.+)\)/.exec(written ?? "") ?? [];
  return { x: Number(x), y: Number(y), k: Number(k) };
}

test("a drag pans, Ctrl with the wheel zooms, a button fits again", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const first = await view(page);
  const box = await app.stage.boundingBox();
  if (box === null) throw new Error("the stage is not shown");

  await app.button("Zoom in").click();
  await expect.poll(async () => (await view(page)).k).toBeCloseTo(first.k * 1.3);

  const before = await view(page);
  await page.mouse.move(box.x + 30, box.y + box.height - 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 10, box.y + box.height - 45, { steps: 3 });
  await page.mouse.up();
  const panned = await view(page);
  expect(panned.x - before.x).toBeCloseTo(-20);
  expect(panned.y - before.y).toBeCloseTo(-15);
  expect(panned.k).toBe(before.k);

  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(async () => (await view(page)).k).toBeGreaterThan(panned.k);

  await page.mouse.wheel(0, 40);
  await expect.poll(async () => (await view(page)).y).toBeLessThan(panned.y);

  await app.button("Fit to the stage").click();
  await expect.poll(async () => (await view(page)).k).toBeLessThan(before.k);
});

test("what is asked of the zoom before its code is there is done when it is", async ({ page }) => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/zoom-gestures/, async (route) => {
    await arrived;
    await route.continue();
  });
  const app = new AppPage(page);
  await app.open();
  const first = await view(page);
  await app.button("Zoom in").click();
  expect(await view(page)).toEqual(first);
  arrive();
  await expect.poll(async () => (await view(page)).k).toBeCloseTo(first.k * 1.3);
});

test("a job that is no line is laid out too: its sources stand below one another", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: "two-sources.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(twoSources)),
    });
  const left = await app.element("subtask:left[0]").boundingBox();
  const right = await app.element("subtask:right[0]").boundingBox();
  const sum = await app.element("subtask:sum[0]").boundingBox();
  if (left === null || right === null || sum === null) throw new Error("not all subtasks are drawn");
  expect(left.x).toBeCloseTo(right.x);
  expect(Math.abs(left.y - right.y)).toBeGreaterThanOrEqual(left.height);
  expect(sum.x).toBeGreaterThan(left.x + left.width);
});
