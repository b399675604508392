/** Faults of every element: now, at a chosen instant, every time; planned ones are things that can be taken out. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test("a fault waits for its instant, leaves alone what has happened, is listed, and is taken out by undo", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const before = await app.event();
  await app.element("subtask:out[0]").click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  const menu = page.getByRole("menu");
  await menu.getByRole("menuitemradio", { name: "after pre-commit, before the ack" }).click();
  await expect(menu).toContainText("Waits: acts after pre-commit, before the ack, once.");
  expect(await problems(page)).toEqual([]);
  await menu.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
  await app.idle();
  expect(await app.event()).toBe(before);
  await app.tab("Branches");
  const planned = page.getByRole("region", { name: "Planned" });
  await expect(planned).toContainText("fail out[0] after pre-commit, before the ack");
  await app.press("x");
  const failed = await app.event();
  await app.press(",");
  await expect(app.sentence).toContainText(/^out\[0\] pre-commits/);
  expect(failed).toBeGreaterThan(before);
  await app.press("u");
  await expect(planned).toBeHidden();
});

test("every time: the task fails at each pre-commit until no restart is left", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.element("subtask:out[0]").focus();
  await page.keyboard.press("F");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitemcheckbox", { name: "every time from then on" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await menu.getByRole("menuitemradio", { name: "after pre-commit, before the ack" }).click();
  await menu.getByRole("menuitemcheckbox", { name: "every time from then on" }).click();
  await menu.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
  await app.idle();
  await app.tab("Branches");
  await expect(page.getByRole("region", { name: "Planned" })).toContainText("before the ack, every time");
  await app.toEnd();
  await expect(page.locator(".job-chip")).toContainText("FAILED");
  await page.getByRole("button", { name: /^Take out: fail out\[0\]/ }).click();
  await app.idle();
  await app.toEnd();
  await expect(page.locator(".job-chip")).toContainText("RUNNING");
});

test("an entry says what a log would say; what cannot happen is listed with the reason", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("taskManager:tm-2").focus();
  await page.keyboard.press("F");
  await expect(page.getByRole("menuitem", { name: /^Kill process/ })).toContainText(
    "Connection unexpectedly closed by remote task manager",
  );
  await page.keyboard.press("Escape");
  await expect(app.element("taskManager:tm-2")).toBeFocused();
  await app.element("channel:orders[0]->total[0]").focus();
  await page.keyboard.press("F");
  const lost = page.getByRole("menuitem", { name: /^Lose a record/ });
  await expect(lost).toHaveAttribute("aria-disabled", "true");
  await expect(lost).toContainText("TCP loses nothing");
  await page.keyboard.press("Escape");
  await expect(app.element("channel:orders[0]->total[0]")).toBeFocused();
  await app.element("input:orders-0").focus();
  await page.keyboard.press("F");
  await expect(page.getByRole("menuitem", { name: /^Poison orders-0@2\d/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(app.element("input:orders-0")).toBeFocused();
  await page.locator('[data-heading="1"]').focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Throw exception in every subtask of total/ }).click();
  await app.idle();
  await expect(app.branch(/^fail all total/)).toHaveAttribute("aria-pressed", "true");
});
