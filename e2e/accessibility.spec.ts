import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

for (const theme of ["light", "dark"] as const) {
  test(`nothing that axe knows of is wrong in ${theme}: at rest, with a fault, each panel, each dialog`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    const app = new AppPage(page);
    await app.open();
    await app.press("n");
    expect(await problems(page)).toEqual([]);
    await app.element("subtask:total[1]").click();
    await page.keyboard.press("F");
    await expect(page.getByRole("menu")).toBeVisible();
    expect(await problems(page)).toEqual([]);
    await page.getByRole("menuitem", { name: /Throw exception/ }).click();
    await app.idle();
    await app.stepUntil(/Restart 1 is granted/);
    for (const tab of ["Timeline", "Checkpoints", "Event log", "Ledger", "Branches", "Kill sweep"]) {
      await app.tab(tab);
      await expect(page.locator(".panel > *").first()).toBeVisible();
      expect(await problems(page), tab).toEqual([]);
    }
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await problems(page)).toEqual([]);
  });
}

test("on a phone nothing scrolls sideways and everything is there", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expect(app.element("subtask:total[1]")).toBeVisible();
  await app.tab("Ledger");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await problems(page)).toEqual([]);
});

test("steps are told to screen readers, and the skip link leads to the job", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await expect(page.getByTestId("narration")).toContainText("Checkpoint 1 is complete");
  await page.reload();
  await expect(app.button(/^Scenario:/)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the job" })).toBeFocused();
});

test("with reduced motion nothing plays by itself", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const app = new AppPage(page);
  await app.visitedBefore();
  await page.goto("/");
  await app.idle();
  await expect(app.button("Play")).toBeVisible();
});

test("a dialog and a menu give the keyboard back to where it was", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const task = app.element("subtask:total[1]");
  await task.focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(task).toBeFocused();
  await page.keyboard.press("F");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(task).toBeFocused();
});
