/** Panes that are resized and remembered, and projector mode: what is on a wall. */
import { type Locator, type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

async function widthOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.width ?? 0;
}

const typeOf = (page: Page): Promise<number> =>
  page.getByTestId("sentence").evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));

test("the rail is made wider by keys, by hand and by a click, and is as wide on the next visit", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const rail = page.locator(".rail");
  const edge = app.button("Width of the narrator and the inspector");
  expect(await widthOf(rail)).toBe(340);
  const event = await app.event();
  await edge.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await widthOf(rail)).toBe(388);
  expect(await app.event()).toBe(event);
  await page.keyboard.press("ArrowRight");
  expect(await widthOf(rail)).toBe(364);

  const box = await edge.boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 200];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y, { steps: 4 });
  await page.mouse.up();
  expect(await widthOf(rail)).toBe(424);
  const stage = await widthOf(page.locator(".stage-area"));
  expect(stage).toBe(1440 - 424);
  expect(await problems(page)).toEqual([]);

  await page.reload();
  await expect(edge).toBeVisible();
  expect(await widthOf(rail)).toBe(424);
  await edge.click();
  expect(await widthOf(rail)).toBe(340);
  await edge.click();
  expect(await widthOf(rail)).toBe(1440 * 0.45);

  // The panels below as well, by the same code.
  const dock = page.locator(".dock");
  const before = (await dock.boundingBox())?.height ?? 0;
  await app.button("Height of the panels").focus();
  await page.keyboard.press("ArrowUp");
  expect((await dock.boundingBox())?.height).toBe(before + 24);

  // Where there is no room for a rail there is nothing to drag.
  await page.setViewportSize({ width: 700, height: 800 });
  await expect(edge).toHaveCount(0);
});

test("P leaves only the stage, the narrator and the playback, larger; Esc brings all back", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const others = [".header", ".dock", ".inspector"].map((part) => page.locator(part));
  const parts = [".stage-area", ".narrator", ".transport"].map((part) => page.locator(part));
  const type = await typeOf(page);
  for (const part of [...others, ...parts]) await expect(part).toBeVisible();

  await page.keyboard.press("p");
  await expect(app.button("Leave projector mode")).toBeVisible();
  for (const part of others) await expect(part).toBeHidden();
  for (const part of parts) await expect(part).toBeVisible();
  expect(await typeOf(page)).toBeGreaterThanOrEqual(type * 1.4);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
  expect(await problems(page)).toEqual([]);

  // It still plays and steps.
  const said = await app.sentence.innerText();
  await app.press(">");
  expect(await app.sentence.innerText()).not.toBe(said);
  await page.keyboard.down("l");
  await expect(page.locator(".projector-halo[data-laser]")).toHaveCount(1);
  await page.keyboard.up("l");
  await expect(page.locator(".projector-halo[data-laser]")).toHaveCount(0);

  await page.keyboard.press("Escape");
  for (const part of [...others, ...parts]) await expect(part).toBeVisible();
  expect(await typeOf(page)).toBe(type);
});
