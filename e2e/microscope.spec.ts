/** The crash windows of a checkpoint and of a transaction. */
import { type Locator, type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: /^Crash windows of / });
const window = (page: Page, name: RegExp): Locator => dialog(page).getByRole("radio", { name });
const verdict = (page: Page): Locator => dialog(page).locator(".windows-verdicts .outcome-word").first();

async function end(app: AppPage): Promise<void> {
  await app.open();
  await app.toEnd();
  await app.tab("Timeline");
}

test("a transaction opens by Enter on its span; between the pre-commit and the commit nothing is lost, and a crash forks", async ({
  page,
}) => {
  const app = new AppPage(page);
  await end(app);
  await page.getByRole("button", { name: /^Transaction out-0-2/ }).press("Enter");
  await expect(dialog(page)).toBeVisible();
  await expect(window(page, /^W1: /)).toBeFocused();

  // Every window is told, and the arrow keys go from one to the next.
  await expect(dialog(page).locator(".windows-marks label[data-outcome]")).toHaveCount(
    await dialog(page).getByRole("radio").count(),
  );
  await page.keyboard.press("ArrowRight");
  await expect(window(page, /^W2: /)).toBeChecked();
  await window(page, /commit sent → committed\. OK/).check({ force: true });
  const detail = dialog(page).locator(".windows-detail");
  await expect(detail).toContainText("completed: recovery starts from it");
  await expect(detail).toContainText("commit sent, no answer");
  await expect(detail).toContainText("records that no committed reader sees");
  await expect(detail).toContainText("what recovery restores");
  await expect(verdict(page)).toHaveText("OK");
  expect(await problems(page)).toEqual([]);

  await dialog(page).getByText("As a table").click();
  await expect(dialog(page).getByRole("row").filter({ hasText: "commit sent → committed" })).toContainText("OK");
  expect(await problems(page)).toEqual([]);
  await detail.getByRole("button", { name: "Crash here" }).click();
  await app.idle();
  await expect(dialog(page)).toHaveCount(0);
  await expect(app.branch(/^fail out\[0\] at/)).toHaveAttribute("aria-pressed", "true");
  await app.toEnd();
  await expect(app.badge()).toHaveText("OK");
});

test("a checkpoint opens by double click and from the inspector; with another sink a crash doubles, as the opened run does", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption("at-least-once");
  await app.idle();
  await app.toEnd();
  await app.tab("Timeline");
  await page.getByRole("button", { name: /^Checkpoint 3, completed/ }).dblclick();
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Crash windows", exact: true }).click();
  const doubles = dialog(page)
    .getByRole("radio", { name: /DUPLICATE$/ })
    .first();
  await doubles.check({ force: true });
  await expect(verdict(page)).toBeVisible();
  const said = dialog(page).locator(".windows-verdicts li").filter({ hasText: "DUPLICATE" });
  await said.getByRole("button", { name: "Crash here" }).first().click();
  await app.idle();
  await app.toEnd();
  await expect(app.badge()).toHaveText("DUPLICATE");
});

test("at 390 px the windows are told one by one, and nothing is wider than the screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await end(app);
  await app.button("As table").click();
  await app.button("Crash windows of Checkpoint 3").click();
  await expect(verdict(page)).toBeVisible();
  const box = await dialog(page).boundingBox();
  expect(box?.width ?? Infinity).toBeLessThanOrEqual(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await problems(page)).toEqual([]);
});
