/** The space-time diagram and cuts through it, by mouse, by key, and without seeing it. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test("processes, messages and cuts: an event is gone to by key, and is the one in every view", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await page.keyboard.press("m");
  const picture = page.getByRole("region", { name: /^Space–time diagram, 8 processes/ });
  await expect(picture).toBeVisible();
  await page.getByRole("combobox", { name: "Zoom to…" }).selectOption("1");
  await picture.focus();
  const says = page.locator(".space-time-says");
  const before = await says.innerText();
  await page.keyboard.press("ArrowRight");
  await expect(says).not.toHaveText(before);
  await page.keyboard.press("ArrowUp");
  const told = await says.innerText();
  await page.keyboard.press("Enter");
  await app.idle();
  expect(told).toContain(await app.sentence.innerText());
  await page.getByRole("combobox", { name: "Axis" }).selectOption("order");
  await expect(picture).toBeVisible();
  expect(await problems(page)).toEqual([]);

  // The same as a list.
  await page.getByText("As a list").click();
  await page.getByRole("combobox", { name: "Process" }).selectOption("total[0]");
  await expect(page.getByRole("list", { name: "Events of total[0], in order" })).toContainText(
    "Barrier 1 reaches total[0]",
  );
});

test("X-03: a cut is judged at once, by line and by key; repaired it is consistent", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await page.keyboard.press("m");
  await app.button("Cut").click();
  const bar = page.getByRole("region", { name: "Cut" });
  await expect(bar).toContainText("Consistent");
  const picture = page.getByRole("region", { name: /^Space–time diagram/ });
  await picture.focus();
  // The source's marker back, behind what its reader has taken.
  await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowLeft");
  await expect(bar).toContainText("Not consistent");
  await expect(bar).toContainText(/total\[\d\] has received what orders\[0\] has not sent yet/);
  await expect(page.getByRole("status").filter({ hasText: /Cut of orders\[0\]/ })).toHaveCount(1);
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("r");
  await expect(bar).toContainText("Consistent");

  // A line drawn over the lifelines; a checkpoint's own cut.
  const box = await picture.boundingBox();
  if (box === null) throw new Error("there is a picture");
  await page.mouse.move(box.x + 400, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 700, box.y + box.height - 30, { steps: 24 });
  await page.mouse.up();
  await expect(bar).toContainText("Not consistent");
  await app.button("Repair").click();
  await expect(bar).toContainText("Consistent");
  await bar.getByRole("combobox", { name: "As a checkpoint…" }).selectOption("2");
  await expect(bar).toContainText("Consistent");
});

test("X-03: the job is started from a consistent cut, and from one that is not, and the oracle says what came of it", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await page.keyboard.press("m");
  await app.button("Cut").click();
  const bar = page.getByRole("region", { name: "Cut", exact: true });
  await expect(bar).toContainText("Consistent");
  await expect(bar).toContainText("The job would start again from this state");
  await app.button("Restore from this cut").click();
  const restored = page.getByRole("region", { name: "Restored from a cut" });
  await expect(restored).toContainText("OK: no record is lost, none is seen twice by a committed reader.");
  await expect(restored).toContainText("starts from a consistent cut");
  await expect(page.getByRole("status").filter({ hasText: /OK: no record is lost/ })).toHaveCount(1);
  expect(await problems(page)).toEqual([]);

  // Back at the run that was cut, with the cut: the source's marker goes back by key, behind what its readers have taken.
  await app.button("Back to the run that was cut").click();
  const picture = page.getByRole("region", { name: /^Space–time diagram/ });
  await picture.focus();
  await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowLeft");
  await expect(bar).toContainText(/From here orders-\d@\d+.* would come twice/);
  await app.button("Restore from this cut").focus();
  await page.keyboard.press("Enter");
  await expect(restored).toContainText(/DUPLICATE: no record is lost, \d+ (is|are) seen twice/);
  await expect(restored).toContainText(/from a cut that \d+ messages? breaks?/);
  await app.button("Who sees what: the ledger").click();
  await expect(page.getByRole("tab", { name: /Ledger|Results/ })).toHaveAttribute("aria-selected", "true");
});

test("X-03: a cut that no job can start from says why", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  // However soon it was stopped: before the first task runs.
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  await page.keyboard.press("m");
  await app.button("Cut").click();
  const bar = page.getByRole("region", { name: "Cut", exact: true });
  await expect(bar).toContainText(/No job can start from this cut: \w+\[\d\]: it does not run there\./);
  await expect(app.button("Restore from this cut")).toHaveAttribute("aria-disabled", "true");
});

test("what happened before an event and what came of it are told as lists", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await page.keyboard.press("m");
  await app.button("what happened before this").first().click();
  const before = page.getByRole("list", { name: /^What happened before entry/ });
  await expect(before.getByRole("listitem").first()).toContainText(/BarrierEmitted|sends barrier 1|barrier 1/i);
  await expect(before).toContainText("JobManager");
  await before.getByRole("listitem").last().getByRole("button", { name: "what came of this" }).click();
  await expect(
    page
      .getByRole("list", { name: /^What came of entry/ })
      .getByRole("listitem")
      .first(),
  ).toBeVisible();
  expect(await problems(page)).toEqual([]);
});

test("on a phone time goes down, and nothing scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.tab("Space–time");
  const picture = page.getByRole("region", { name: /^Space–time diagram/ });
  const box = await picture.boundingBox();
  expect(box?.height).toBeGreaterThan(box?.width ?? Infinity);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 390, height: 3000 });
  expect(await problems(page)).toEqual([]);
});
