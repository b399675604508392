/** Trouble is told at the thing: a job that failed for good, readers that wait, a planned fault that does nothing. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test("E-30: a job that failed for good says why; the strategy is changed and the run forks at the failure", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Throw an exception that no restart mends/ }).click();
  await app.idle();
  await app.toEnd();
  await app.element("jobManager").click();
  const note = page.locator('[data-trouble="E-30"]').first();
  await expect(note).toContainText("The job is FAILED:");
  expect(await problems(page)).toEqual([]);
  await note.getByRole("button", { name: "Change the strategy and fork at the failure" }).focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Configuration" });
  await expect(drawer.getByRole("searchbox", { name: "Search keys" })).toHaveValue("restart-strategy");
  await expect(page.locator(".job-chip")).toContainText("RUNNING");
  await page.keyboard.press("Escape");
  await app.toEnd();
  await note.getByRole("button", { name: "Why?" }).click();
  await app.idle();
  await expect(page.getByRole("button", { name: /Why/ }).first()).toHaveAttribute("aria-expanded", "true");
});

test("E-36: a planned fault whose task did not run then is moved to where it runs, by key", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const plan = async (time: string): Promise<void> => {
    await app.element("subtask:total[1]").focus();
    await page.keyboard.press("F");
    await page.getByRole("menuitemradio", { name: "as soon as it is RUNNING again" }).click();
    await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
    await app.idle();
    await app.tab("Branches");
    await page.getByRole("button", { name: /^Change: fail total\[1\] as soon/ }).click();
    const editor = page.getByRole("dialog", { name: "Planned: fail total[1]" });
    await editor.getByRole("combobox", { name: "When" }).selectOption("at a time");
    await editor.getByRole("textbox", { name: /^Time/ }).fill(time);
    await editor.getByRole("button", { name: "Move it there" }).click();
    await expect(editor).toBeHidden();
    await app.idle();
  };
  await plan("1500 ms");
  await plan("1700 ms");
  await app.toEnd();
  const note = page.locator('[data-trouble="E-36"]');
  await expect(note).toContainText("fail total[1] was placed at 1.700 s, but total[1] was not running then.");
  expect(await problems(page)).toEqual([]);
  await note.getByRole("button", { name: /^Move to/ }).focus();
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(note).toHaveCount(0);
});

test("E-35: while the job restarts no checkpoint can start, and the JobManager says so", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
  await app.idle();
  await app.stepUntil(/restart/i, ".");
  await app.element("jobManager").click();
  await expect(page.locator('[data-trouble="E-35"]')).toContainText("No checkpoint can start: the job does not run.");
});
