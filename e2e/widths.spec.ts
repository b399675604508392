/** Between a phone and a desk: one rail with tabs, narrow strips, and panels that leave the stage its room. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

async function openedAt(page: Page, width: number, height: number): Promise<AppPage> {
  await page.setViewportSize({ width, height });
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  return app;
}

test("at 1100 the narrator and the inspector share the rail: a selection brings its own to the front, Why the other", async ({
  page,
}) => {
  const app = await openedAt(page, 1100, 800);
  await expect(app.sentence).toBeVisible();
  await app.element("subtask:total[1]").click();
  await expect(page.locator(".inspector-name")).toHaveText("total[1]");
  await expect(app.sentence).toBeHidden();
  await expect(page.locator(".transport-told")).toContainText("Checkpoint 1 is complete");
  expect(await problems(page)).toEqual([]);
  await app.addressed();
  await page.reload();
  await expect(app.button("Selected")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("w");
  await expect(app.button("Now")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
});

test("at 1100 the strips beside the graph are rails, wide while something in them has the focus", async ({ page }) => {
  const app = await openedAt(page, 1100, 800);
  const partition = app.element("input:orders-0");
  const width = async (): Promise<number> => (await partition.boundingBox())?.width ?? 0;
  await expect(partition).toContainText("@");
  expect(await width()).toBeLessThan(44);
  await expect(app.element("subtask:out[0]")).toBeInViewport({ ratio: 1 });
  await partition.click();
  await expect.poll(width).toBeGreaterThan(150);
  await expect(partition).toBeFocused();
  await app.element("subtask:total[0]").click();
  await expect.poll(width).toBeLessThan(44);
});

for (const [width, height] of [
  [1023, 768],
  [820, 1180],
  [720, 900],
] as const)
  test(`at ${width} there is one rail, the panels have two fifths of the height, and the page is no larger than the window`, async ({
    page,
  }) => {
    await openedAt(page, width, height);
    const dock = await page.locator(".dock").boundingBox();
    expect(dock?.height).toBeCloseTo(height * 0.4, 0);
    expect((dock?.y ?? 0) + (dock?.height ?? 0)).toBeCloseTo(height, 0);
    await expect(page.locator(".rail .rail-tabs")).toBeVisible();
    const size = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ]);
    expect(size).toEqual([width, height]);
  });
