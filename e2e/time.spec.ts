/** Going about in time, and the event log, as a person does it. */
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

test.describe("the event log", () => {
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

    await page.reload();
    await app.button("Pause").click();
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

  test("runs to an entry of it: plays and stands exactly there", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.speed("64");
    await app.tab("Event log");
    await page.getByRole("searchbox").fill("checkpoint 2 is complete");
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
    expect(await problems(page)).toEqual([]);
  });
});
