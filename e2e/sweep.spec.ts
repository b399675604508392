/** The kill sweep with the real pool. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

function figure(page: Page, outcome: string): Promise<number> {
  return page
    .getByTestId(`sweep-${outcome}`)
    .innerText()
    .then((text) => Number(text.replaceAll(",", "")));
}

test("with exactly-once no single failure harms; with at-least-once some do, and each opens as a branch", async ({
  page,
}) => {
  // Forty thousand runs, on a machine that may be busy.
  test.setTimeout(150_000);
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("k");
  const start = app.button("Fail everything, everywhere");
  await expect(start).toBeFocused();
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Enter");

  // The page stays usable while it runs.
  await expect(app.button("Pause the sweep")).toBeFocused();
  const before = await app.event();
  await app.button("To the next checkpoint").click();
  expect(await app.event()).toBeGreaterThan(before);
  await expect(app.button("Pause the sweep")).toBeVisible();

  await expect(app.button("Sweep again")).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("heading", { name: "Nothing lost, nothing doubled" })).toBeVisible();
  expect(await figure(page, "OK")).toBeGreaterThan(10_000);
  for (const outcome of ["DUPLICATE", "LOSS", "pending"]) expect(await figure(page, outcome), outcome).toBe(0);

  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption("at-least-once");
  await app.idle();
  await expect(page.getByText("The sweep before")).toBeVisible();
  await start.click();
  await expect(page.getByTestId("sweep-figures")).toContainText("a second");
  expect(await figure(page, "DUPLICATE")).toBeGreaterThan(0);
  await app.button("Stop").click();
  expect(await problems(page)).toEqual([]);

  const first = page.getByRole("table", { name: "Harmful runs, worst first" }).getByRole("button").first();
  const name = await first.innerText();
  await first.click();
  await app.idle();
  const event = Number(/at event ([\d,]+)/.exec(name)?.[1]?.replaceAll(",", ""));
  expect(await app.event()).toBe(event);
  const branches = page.getByRole("navigation", { name: "Branches" });
  await expect(branches.getByRole("button", { pressed: true })).not.toHaveText("as the scenario says");
  await app.toEnd();
  await expect(app.badge()).toHaveText("DUPLICATE");
  await app.branch("as the scenario says").click();
  await first.click();
  await app.idle();
  await expect(branches.getByRole("button", { pressed: true })).not.toHaveText("as the scenario says");
  await expect(branches.locator(".branch-button")).toHaveCount(2);
});

test("a sweep is paused, goes on, and is stopped with what it has; on a phone nothing scrolls sideways", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("k");
  await expect(app.button("Fail everything, everywhere")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("sweep-figures")).toContainText("runs");
  await app.button("Pause the sweep").click();
  await expect(page.getByTestId("sweep-figures")).toContainText("Paused");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await app.button("Go on").click();
  await app.button("Stop").click();
  await expect(page.getByTestId("sweep-figures")).toContainText("of a part only");
  await expect(app.button("Sweep again")).toBeFocused();
});
