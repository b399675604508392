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

test("from a dialog that followed another, or a menu, the focus comes back to where it was", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const subtask = app.element("subtask:total[1]");
  const scenario = app.button(/^Scenario:/);
  // The second time a menu's dialog is there before the menu is gone.
  for (const time of ["first", "second"]) {
    await subtask.focus();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Name of an action or a thing" }).fill("passport");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Record passport" })).toBeVisible();
    await expect(page.locator("#root"), time).toHaveAttribute("inert");
    await page.keyboard.press("Escape");
    await expect(subtask, time).toBeFocused();
    await scenario.press("Enter");
    await page.getByRole("menuitem", { name: "Compare modes…" }).press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(scenario, time).toBeFocused();
  }
});

test("whoever goes elsewhere as a dialog or a menu closes stays there", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  for (const key of ["f", "t", "/"]) {
    await app.element("subtask:total[1]").focus();
    await page.keyboard.press(key);
    const over = page.getByRole("dialog");
    await expect(over).toBeVisible();
    await over.evaluate(async (closing) => {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      // A task of its own comes before timers that are due.
      const next = new MessageChannel();
      while (closing.isConnected)
        await new Promise((task) => {
          next.port1.addEventListener("message", task, { once: true });
          next.port1.start();
          next.port2.postMessage(null);
        });
      document.querySelector<SVGElement>('[data-element="subtask:orders[0]"]')?.focus();
    });
    await page.waitForTimeout(100);
    await expect(app.element("subtask:orders[0]"), key).toBeFocused();
  }
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
