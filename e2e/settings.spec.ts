/** The settings: each acts at once, is remembered, and goes into a file and back. */
import { readFileSync } from "node:fs";
import { type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Settings" });

async function settings(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Shift+P");
  await expect(dialog(page)).toBeVisible();
  return app;
}

async function choose(page: Page, group: string, name: string): Promise<void> {
  await dialog(page)
    .getByRole("radiogroup", { name: group })
    .getByRole("radio", { name })
    // The radio lies over its words.
    .check({ force: true });
}

const property = (page: Page, name: string): Promise<string> =>
  page.evaluate((of) => document.documentElement.style.getPropertyValue(of), name);

test("high contrast has a pure ground, colour-safe other task colours, and both are remembered", async ({ page }) => {
  const app = await settings(page);
  const running = await property(page, "--tone-running");
  await choose(page, "Task colours", "Colour-safe");
  await expect.poll(() => property(page, "--tone-running")).not.toBe(running);
  expect(await problems(page)).toEqual([]);
  await choose(page, "Theme", "High contrast");
  await expect.poll(() => property(page, "--text")).toBe("#000000");
  await expect(dialog(page).getByRole("radio", { name: "Colour-safe" })).toBeDisabled();
  expect(await problems(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => property(page, "--canvas")).toBe("#000000");
  await page.reload();
  // The moment that was on screen is there again, and stands still.
  await expect(app.button("Play")).toBeVisible();
  await expect.poll(() => property(page, "--canvas")).toBe("#000000");
});

test("motion none: play is a step; reduced: nothing slides, and an arrow shows the way", async ({ page }) => {
  const app = await settings(page);
  await choose(page, "Motion", "None");
  await page.keyboard.press("Escape");
  await app.press("Home");
  const before = await app.event();
  await app.press("v");
  expect(await app.event()).toBeGreaterThan(before);
  await expect(app.button("Play")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-motion", "reduced");
  // Events of one instant are told apart.
  await app.press("n");
  await expect(page.locator(".position-instant")).toHaveText(/^\d+ events at this instant, \d+ of \d+$/);
});

test("what is chosen goes into a file and back; a wrong value is told by place, and nothing is changed", async ({
  page,
}) => {
  await settings(page);
  await choose(page, "Theme", "Dark");
  await choose(page, "Large numbers", "1 234");
  await dialog(page)
    .getByRole("checkbox", { name: /^Fold idle time/ })
    .uncheck();
  const saving = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Save settings…" }).click();
  const text = readFileSync(await (await saving).path(), "utf8");
  await expect(page.locator(".position-step")).toHaveText(/ \/ 1\u202F\d{3}$/);

  await dialog(page).getByRole("button", { name: "All as they came" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  const file = page.getByTestId("settings-file");
  const upload = (contents: string) =>
    file.setInputFiles({ name: "class.json", mimeType: "application/json", buffer: Buffer.from(contents) });
  await upload(text.replace('"dark"', '"pink"'));
  await expect(dialog(page)).toContainText('settings.theme = "pink": Allowed: "system", "light", "dark", "contrast".');
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await upload(text);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(dialog(page).getByRole("checkbox", { name: /^Fold idle time/ })).not.toBeChecked();
  await dialog(page).getByRole("button", { name: "All as they came" }).click();
  await dialog(page).getByRole("button", { name: "Take that back" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("a key can be another; one that has an owner is refused with its name", async ({ page }) => {
  const app = await settings(page);
  await dialog(page).getByRole("button", { name: "Change keys…" }).click();
  await dialog(page)
    .getByRole("button", { name: /^Change the key of: Why did this happen/ })
    .click();
  await page.keyboard.press("n");
  await expect(dialog(page)).toContainText("n is the key of “To the next checkpoint”.");
  await page.keyboard.press("q");
  await expect(dialog(page)).toContainText("1 changed.");
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await app.press("w");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "false");
  await app.press("q");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  await page.reload();
  await expect(app.button("Play")).toBeVisible();
  await app.idle();
  await app.press("q");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("?");
  await expect(
    page
      .getByRole("dialog")
      .locator("div")
      .filter({ hasText: /^Why did this happen\?Q$/ }),
  ).toBeVisible();
});

test("at 390 px it fits, and axe finds nothing", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await settings(page);
  await dialog(page).getByRole("button", { name: "Change keys…" }).click();
  await expect(dialog(page).getByRole("button", { name: /^Change the key of: Why/ })).toBeVisible();
  expect(await problems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await dialog(page).evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0);
});
