/** What the inspector tells of each kind of thing, and what the stage says of it beside: driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const inspector = (page: Page) => page.getByRole("region", { name: "Selected" });

test("what a failure took is struck through on the node and in the inspector, until replay has brought it back", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.press("n");
  const total = app.element("subtask:total[1]");
  // Behind the checkpoint it has something to lose.
  const value = total.locator(".card-value").first();
  const kept = await value.textContent();
  for (let i = 0; i < 200 && (await value.textContent()) === kept; i++) await app.press(".");
  await total.click({ position: { x: 60, y: 40 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await app.stepUntil(/^The JobManager (learns|notices)/, ".", 50);
  await expect(inspector(page)).toContainText("what its failed attempt had");
  await expect(inspector(page).locator("del")).not.toHaveCount(0);
  await app.stepUntil(/^Attempt #1 takes the place of total\[1\]/, ".", 200);
  await app.stepUntil(/total\[1\].*restore|restor.*total\[1\]/i, ".", 60);
  await expect(total).toHaveAttribute("aria-label", /before the failure: /);
  const struck = page.locator(".layer-ghosts .card-ghost");
  await expect(struck).not.toHaveCount(0);
  await expect(page.locator(".layer-legend")).toContainText("lost, until replayed");
  await expect(inspector(page)).toContainText("until replay has brought it there again");
  expect(await problems(page)).toEqual([]);
  await app.toEnd();
  await expect(struck).toHaveCount(0);
  await expect(inspector(page).locator("del")).toHaveCount(0);
});
