import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

test("a tap selects and offers to fail, a long press asks at once, one finger scrolls the page", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").tap();
  await expect(app.element("subtask:total[1]")).toHaveAttribute("aria-current", "true");
  await app.stage.getByRole("button", { name: /^Fail total\[1\]/ }).tap();
  await page.getByRole("menuitem", { name: /Throw exception/ }).tap();
  await app.idle();
  await expect(app.sentence).toContainText("Fault: total[1]");

  const box = await app.element("subtask:total[0]").boundingBox();
  if (box === null) throw new Error("total[0] is not drawn");
  const touch = await page.context().newCDPSession(page);
  const finger = { x: box.x + 30, y: box.y + 20 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [finger] });
  await expect(page.getByRole("menu")).toContainText("total[0]");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");

  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 200, y: 600 }] });
  for (let y = 580; y > 260; y -= 20) {
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: 200, y }] });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
});

async function view(page: Page): Promise<{ readonly x: number; readonly k: number }> {
  const written = await page.locator("#stage .world").getAttribute("transform");
  const [, x, , k] = /translate\((.+),(.+)\) scale\((.+)\)/.exec(written ?? "") ?? [];
  return { x: Number(x), k: Number(k) };
}

/** One finger, from one point of the window to another. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
  for (let part = 1; part <= 10; part++) {
    const [x, y] = [from.x + ((to.x - from.x) * part) / 10, from.y + ((to.y - from.y) * part) / 10];
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y }] });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

test("a stage that is wider than the phone pans sideways under one finger, and the page scrolls up and down", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.button("Zoom in").tap();
  await app.button("Zoom in").tap();
  const first = await view(page);
  const scroll = (): Promise<number> => page.evaluate(() => scrollY);
  await drag(page, { x: 300, y: 420 }, { x: 120, y: 426 });
  await expect.poll(async () => (await view(page)).x).toBeLessThan(first.x - 40);
  expect(await scroll()).toBe(0);
  const panned = await view(page);
  expect(panned.k).toBe(first.k);
  await expect(page.getByRole("menu")).toHaveCount(0);

  await drag(page, { x: 200, y: 600 }, { x: 206, y: 300 });
  await expect.poll(scroll).toBeGreaterThan(100);
  expect((await view(page)).x).toBe(panned.x);
});

test("two quick taps show a row from near, two more all of it again, and ask nothing", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const first = await view(page);
  const sink = app.element("subtask:out[0]");
  await sink.scrollIntoViewIfNeeded();
  const box = await sink.boundingBox();
  if (box === null) throw new Error("out[0] is not drawn");
  const touch = await page.context().newCDPSession(page);
  const twice = async (): Promise<void> => {
    const at = [{ x: box.x + 30, y: box.y + 20 }];
    const events = [1, 2].flatMap(() => [
      { type: "touchStart" as const, touchPoints: at },
      { type: "touchEnd" as const, touchPoints: [] },
    ]);
    // One behind the other, without waiting in between.
    await Promise.all(events.map((event) => touch.send("Input.dispatchTouchEvent", event)));
  };
  await twice();
  await expect.poll(async () => (await view(page)).k).toBeGreaterThan(first.k * 1.2);
  const row = await sink.boundingBox();
  expect(row?.x).toBeGreaterThanOrEqual(0);
  expect(row?.width).toBeGreaterThan(box.width * 1.2);
  expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThanOrEqual(390);
  await expect(page.getByRole("menu")).toHaveCount(0);
  await twice();
  await expect.poll(async () => (await view(page)).k).toBe(first.k);
  await expect(page.getByRole("menu")).toHaveCount(0);
});
