/** The event log, as a person uses it. */
import { type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** The number of entries that the log says it shows. */
async function found(page: Page): Promise<number> {
  const words = await page.locator(".events-found").innerText();
  return Number(/[\d,]+/.exec(words)?.[0].replaceAll(",", ""));
}

/** What is shown after a filter more: fewer entries than before. */
async function fewer(page: Page, than: number): Promise<number> {
  await expect.poll(() => found(page)).toBeLessThan(than);
  return found(page);
}

const rows = (page: Page): ReturnType<Page["locator"]> =>
  page.getByRole("table", { name: "Event log" }).getByRole("row");

test("filters by kind, element, checkpoint and words together, as chips, and remembers them", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.tab("Event log");
  const all = await found(page);
  await page.getByRole("combobox", { name: "Kind" }).selectOption("checkpoints");
  const checkpoints = await fewer(page, all);
  await page.getByRole("combobox", { name: "Checkpoint" }).selectOption("2");
  const second = await fewer(page, checkpoints);
  await page.getByRole("combobox", { name: "Element" }).selectOption({ label: "total[1]" });
  const here = await fewer(page, second);
  await page.getByRole("searchbox").fill("acknowledges");
  await expect(page.locator(".events-found")).toHaveText(/^1 of /);
  await expect(rows(page).nth(1)).toContainText("total[1] acknowledges checkpoint 2");

  await app.reload();
  await app.tab("Event log");
  await expect(page.locator(".events-found")).toHaveText(/^1 of /);
  await page.getByRole("searchbox").fill("");
  await expect.poll(() => found(page)).toBe(here);
  await app.button("Remove the filter total[1]").click();
  await expect.poll(() => found(page)).toBe(second);
  await app.button("Clear all").click();
  await expect.poll(() => found(page)).toBe(all);
  expect(await problems(page)).toEqual([]);
});

test("leads from an entry to its cause and its effects, and by arrow keys to the next that is shown", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.tab("Event log");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("CheckpointCompleted");
  await expect(rows(page).nth(1)).toContainText("CheckpointCompleted");
  await rows(page)
    .nth(1)
    .getByRole("button", { name: /^Go to event/ })
    .click();
  const completed = await app.event();
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
  await app.button(`All 5 events that event ${completed} caused`).click();
  await app.button("Remove the filter CheckpointCompleted").click();
  await expect.poll(() => found(page)).toBe(5);
  await rows(page)
    .nth(1)
    .getByRole("button", { name: /^Go to event/ })
    .click();
  const effect = await app.event();
  expect(effect).toBeGreaterThan(completed);
  await page.getByRole("rowgroup", { name: "Event log" }).focus();
  await app.press("ArrowDown");
  expect(await app.event()).toBeGreaterThan(effect);
  await app.press("ArrowUp");
  expect(await app.event()).toBe(effect);
  await rows(page)
    .nth(1)
    .getByRole("button", { name: `Caused by event ${completed}: go there` })
    .click();
  expect(await app.event()).toBe(completed);

  // The same by keys alone: to the effect and back to the cause, to the first row and the last.
  const list = page.getByRole("rowgroup", { name: "Event log" });
  await list.focus();
  await app.press("ArrowRight");
  expect(await app.event()).toBe(effect);
  await app.press("ArrowLeft");
  expect(await app.event()).toBe(completed);
  await app.press("End");
  const last = await app.event();
  expect(last).toBeGreaterThan(effect);
  await app.press("Home");
  expect(await app.event()).toBe(effect);
  expect(await list.evaluate((rowgroup) => rowgroup === document.activeElement)).toBe(true);
});

test("has the same selection as the other views, both ways", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.tab("Event log");
  await app.element("subtask:total[0]").click();
  await app.button("Only total[0]").click();
  await expect(rows(page).nth(1)).toHaveAttribute("data-marked", "true");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("checkpoints");
  await page
    .getByRole("table", { name: "Event log" })
    .getByRole("button", { name: /^orders\[0\].+total\[0\]$/ })
    .first()
    .click();
  await expect(page.getByRole("region", { name: "Selected" })).toContainText(/orders\[0\].+total\[0\]/);
});

/** Clears the words and enters others with the first picture of all entries: these are being scrolled to the cursor then. */
async function refilter(page: Page, words: string): Promise<void> {
  await page
    .getByRole("searchbox", { name: "Words in the event" })
    .evaluate(async (input: HTMLInputElement, others) => {
      const enter = (value: string): void => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      };
      enter("");
      while (document.querySelector(".virtual-rows [aria-current]") === null)
        await new Promise((frame) => requestAnimationFrame(frame));
      enter(others);
    }, words);
}

test("filtered while it is being scrolled, it stands at its first row where all of them are to come", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.tab("Event log");
  const list = page.getByRole("rowgroup", { name: "Event log" });
  for (const words of ["checkpoint 2 is complete", "checkpoint 3"]) {
    await page.getByRole("searchbox", { name: "Words in the event" }).fill("no event has these");
    await expect(page.getByText("No event meets all")).toBeVisible();
    await refilter(page, words);
    // It goes on for a while after the last row was measured.
    await page.waitForTimeout(600);
    expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  }
});

test("runs to an entry of it: plays and stands exactly there", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.speed("64");
  await app.tab("Event log");
  const all = await found(page);
  await page.getByRole("searchbox").fill("checkpoint 2 is complete");
  await fewer(page, all);
  const run = app.button(/^Run to event/).first();
  const target = Number(/\d+/.exec((await run.getAttribute("aria-label")) ?? "")?.[0]);
  await run.click();
  await expect(app.button("Play")).toBeVisible();
  await app.idle();
  expect(await app.event()).toBe(target);
});

test("at 390 px says cause and effects too, and axe finds nothing", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.tab("Event log");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("CheckpointCompleted");
  const first = rows(page).nth(0);
  await expect(first.getByRole("button", { name: /^Caused by event/ })).toBeVisible();
  await expect(first.getByRole("button", { name: /^All 5 events/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const lefts = await app.button(/^Run to event/).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(lefts.length).toBeGreaterThan(2);
  expect(new Set(lefts).size).toBe(1);
  // What the bars at the bottom lie over can be scrolled to above them.
  await page.getByRole("button", { name: /^Remove/ }).evaluate((node) => node.scrollIntoView({ block: "center" }));
  expect(await problems(page)).toEqual([]);
});
