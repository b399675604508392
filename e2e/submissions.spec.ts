/** Jobs that are submitted anew: rescaled through a savepoint, and started again from one. Driven as a person does. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test("a vertex is rescaled from 2 to 3: savepoint, a new job with three subtasks, and everything exactly once", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await app.element("subtask:total[0]").click();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Rescale total to 3/ }).click();
  await app.idle();
  await expect(app.element("subtask:total[2]")).toHaveCount(0);
  await app.toEnd();
  await expect(app.element("subtask:total[2]")).toBeVisible();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
  expect(await problems(page)).toEqual([]);
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  await expect(app.element("subtask:total[2]")).toHaveCount(0);
});

test("a job is cancelled behind a savepoint, and started from it again: nothing is lost, nothing doubled", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Take a savepoint/ }).click();
  await app.idle();
  await app.stepUntil(/^Savepoint 2 is complete/);
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Cancel the job/ }).click();
  await app.idle();
  await app.toEnd();
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Start from the newest savepoint/ }).click();
  await app.idle();
  await app.stepUntil(/submitted/, ".", 20);
  await app.toEnd();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
});
