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
  await expect(page.locator(".menu-foot")).toContainText("Waits: acts after pre-commit, before the ack, once.");
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

test("with a probability: typed in per cent, by key alone; the same seed decides the same each time", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:out[0]").focus();
  await page.keyboard.press("F");
  const menu = page.getByRole("menu");
  const chance = menu.getByRole("menuitemcheckbox", { name: "with a probability" });
  await expect(chance).toHaveAttribute("aria-disabled", "true");
  await menu.getByRole("menuitemradio", { name: "after pre-commit, before the ack" }).focus();
  await page.keyboard.press("Enter");
  await chance.focus();
  await page.keyboard.press("Enter");
  const percent = page.getByRole("spinbutton", { name: "Probability in per cent" });
  await expect(percent).toBeFocused();
  await page.keyboard.type("0");
  await expect(percent).toHaveAttribute("aria-invalid", "true");
  await expect(menu.getByRole("menuitem", { name: /^Throw exception/ })).toHaveAttribute("aria-disabled", "true");
  await percent.fill("60");
  await expect(page.locator(".menu-foot")).toContainText("every time with 60 %.");
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await app.idle();
  await app.tab("Branches");
  await expect(page.getByRole("region", { name: "Planned" })).toContainText("with 60 %");
  await app.toEnd();
  const last = await app.event();
  await app.press("u");
  await expect(page.getByRole("region", { name: "Planned" })).toBeHidden();
  expect(last).toBeGreaterThan(0);
});

test("a planned fault stands on the timeline: moved to another element and time, by key, and taken out there", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.element("subtask:out[0]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitemradio", { name: "after pre-commit, before the ack" }).click();
  await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
  await app.idle();
  await app.tab("Timeline");
  const mark = page.getByRole("button", { name: /^Planned: fail out\[0\] after pre-commit/ });
  await expect(mark).toHaveCount(1);
  await mark.focus();
  await page.keyboard.press("Enter");
  const editor = page.getByRole("dialog", { name: "Planned: fail out[0]" });
  await expect(editor.getByRole("combobox", { name: "Where" })).toBeFocused();
  expect(await problems(page)).toEqual([]);
  await expect(editor.getByRole("button", { name: "Move it there" })).toBeDisabled();
  await editor.getByRole("combobox", { name: "Where" }).selectOption("total[1]");
  await editor.getByRole("combobox", { name: "When" }).selectOption("at a time");
  await editor.getByRole("textbox", { name: /^Time/ }).fill("soon");
  await expect(editor).toContainText("Must be a Flink duration");
  await editor.getByRole("textbox", { name: /^Time/ }).fill("1500 ms");
  await editor.getByRole("button", { name: "Move it there" }).click();
  await app.idle();
  const moved = page.getByRole("button", { name: "Planned: fail total[1] at 1.500 s; acts at 1.500 s" });
  await moved.click();
  await page.getByRole("button", { name: "Go to where it acted, 1.500 s" }).click();
  await app.idle();
  await expect(page.locator(".position")).toContainText("1.500");
  await moved.click();
  await page.getByRole("button", { name: "Take it out" }).click();
  await app.idle();
  await expect(moved).toHaveCount(0);
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
