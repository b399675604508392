/** The record passport: by key and from the record, its stamps, its questions; on a phone. */
import { expect, type Locator, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const passport = (app: AppPage): Locator => app.page.getByRole("dialog", { name: "Record passport" });

/** `total[1]` fails behind checkpoint 1, and what it had is replayed. */
async function failing(app: AppPage): Promise<void> {
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/, ">");
  await app.element("subtask:total[1]").focus();
  await app.page.keyboard.press("Enter");
  await app.page.keyboard.press("f");
  await app.page.getByRole("menuitem", { name: /^Throw exception/ }).click();
  await app.idle();
  await app.page.keyboard.press("Escape");
}

test("a replayed record has more passes than effects; a stamp leads to its instant", async ({ page }) => {
  const app = new AppPage(page);
  await failing(app);
  await page.keyboard.press("t");
  const dialog = passport(app);
  await dialog.getByRole("combobox", { name: "Records" }).selectOption({ index: 1 });
  const list = dialog.getByRole("region", { name: "Records" });
  const replayed = list.getByRole("button", { name: /2 passes, 1 effect/ });
  await expect(replayed.first()).toBeVisible();
  await replayed.first().click();
  const passes = dialog.getByRole("region", { name: "Passes (physical): 2" });
  await expect(passes.getByRole("listitem").filter({ hasText: "attempt #1" }).first()).toContainText("pass 2");
  const effects = dialog.getByRole("region", { name: "Effects (durable)" });
  await expect(effects).toContainText("gone: rolled back");
  await expect(effects).toContainText(/survives.*carried by checkpoint \d+ first/);
  await expect(effects).toContainText(/transaction .*, aborted/);
  await expect(effects).toContainText(/read_committed: seen once/);
  expect(await problems(page)).toEqual([]);

  await passes.getByRole("button", { name: /^Go to .*attempt #1 reads it/ }).click();
  await expect(dialog).toBeHidden();
  await app.idle();
  await expect(app.sentence).toContainText(/reads/);

  // It stays the same record; nothing of an exactly-once sink is in effect twice, or seen too early.
  await page.keyboard.press("t");
  await expect(passes).toBeVisible();
  for (const [index, says] of [
    [2, "in effect as often as it should be"],
    [3, "No committed reader saw a record before"],
  ] as const) {
    await dialog.getByRole("combobox", { name: "Records" }).selectOption({ index });
    await expect(list).toContainText(says);
  }
});

test("a row of the ledger and an offset of a partition open the record's passport", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/, ">");
  await app.tab("Ledger");
  await app.button("orders-0@0").click();
  await expect(passport(app).getByRole("heading", { name: "orders-0@0" })).toBeVisible();
  await expect(passport(app)).toContainText("Born in orders-0 at offset 0");
  await page.keyboard.press("Escape");
  await app.element("input:orders-0").focus();
  await page.keyboard.press("Enter");
  const cell = page.locator(".inspector .record-button").first();
  const offset = await cell.innerText();
  await cell.click();
  await expect(passport(app).getByRole("heading", { name: `orders-0@${offset}`, exact: true })).toBeVisible();
});

test("records are pinned by keys and compared: where they differ is said, and a time leads there", async ({ page }) => {
  const app = new AppPage(page);
  await failing(app);
  await page.keyboard.press("t");
  const dialog = passport(app);
  const list = dialog.getByRole("region", { name: "Records" });
  const pin = async (record: RegExp): Promise<string> => {
    const row = list.getByRole("button", { name: record }).first();
    const name = await row.locator(".mono").innerText();
    await row.focus();
    await page.keyboard.press("Enter");
    const button = dialog.getByRole("button", { name: `Pin ${name} to compare` });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(button).toHaveAttribute("aria-pressed", "true");
    return name;
  };
  const twice = await pin(/2 passes, 1 effect/);
  await expect(dialog).toContainText("Pin another record to see where they differ.");
  const once = await pin(/1 pass, 1 effect/);
  const table = dialog.getByRole("table", { name: "Pinned: 2 records" });
  await expect(table.getByRole("columnheader")).toHaveText(["Fact", twice, once]);
  await expect(table.getByRole("row", { name: /^Passes differs 2 1$/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /^In the state of total 1 of 1 1 of 1$/ })).toBeVisible();
  expect(await problems(page)).toEqual([]);

  // Two more, and no fifth.
  for (const place of [4, 5]) {
    await list.getByRole("button").nth(place).click();
    await dialog.getByRole("button", { name: /^Pin .* to compare$/ }).click();
  }
  await list.getByRole("button").nth(6).click();
  await expect(dialog.getByRole("button", { name: /^Pin .* to compare$/ })).toBeDisabled();
  await expect(dialog).toContainText("4 are pinned");
  await dialog.getByRole("button", { name: `Unpin ${twice}` }).click();
  await expect(dialog.getByRole("table", { name: "Pinned: 3 records" })).toBeVisible();

  const cell = dialog
    .getByRole("row", { name: /^First read/ })
    .getByRole("button")
    .first();
  const time = await cell.innerText();
  await cell.focus();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.locator(".position")).toContainText(time);
  // They stay pinned; another run has none.
  await page.keyboard.press("t");
  await expect(dialog.getByRole("table", { name: "Pinned: 3 records" })).toBeVisible();
});

test("the family of a replayed record is a tree for each reading, and a name in it leads to its instant", async ({
  page,
}) => {
  const app = new AppPage(page);
  await failing(app);
  await page.keyboard.press("t");
  const dialog = passport(app);
  const list = dialog.getByRole("region", { name: "Records" });
  await list
    .getByRole("button", { name: /2 passes, 1 effect/ })
    .first()
    .click();
  const family = dialog.getByRole("region", { name: "Family" });
  await expect(family).toContainText("read or given back 2 times");
  const trees = family.locator(".passport-family").first().locator(":scope > li");
  await expect(trees).toHaveCount(2);
  await expect(trees.last()).toContainText(/orders\[\d\] #1.*total\[\d\] #1.*totals-\d@\d+ = \d+\s*seen/s);
  await trees
    .last()
    .getByRole("button", { name: /total\[\d\], attempt #1 takes it in/ })
    .click();
  await expect(dialog).toBeHidden();
  await expect(app.sentence).toContainText(/total\[\d\] takes/);
});

test("on a phone the list and the tracks are below each other", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("t");
  await passport(app).getByRole("region", { name: "Records" }).getByRole("button").first().click();
  await expect(passport(app)).toContainText("Passes (physical)");
  await passport(app).getByRole("button", { name: /^Pin / }).click();
  await passport(app).getByRole("region", { name: "Records" }).getByRole("button").nth(1).click();
  await passport(app).getByRole("button", { name: /^Pin / }).click();
  await expect(passport(app).getByRole("table", { name: "Pinned: 2 records" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await problems(page)).toEqual([]);
});

test("a record's cell in the picture opens its passport: by hand, by key, by finger", async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.stepUntil(/Checkpoint 2 is complete/, ">");
  const dialog = passport(app);
  const told = (name: string | RegExp): Locator => dialog.getByRole("region", { name, exact: true });

  await app.element("input:orders-1").locator("[data-offset]").first().click();
  const name = await dialog.locator(".passport-told").getAttribute("aria-label");
  expect(name).toMatch(/^orders-1@\d+$/);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await app.element("output:totals-0").locator("[data-offset]").last().tap();
  await expect(told(/^orders-\d@\d+$/)).toBeVisible();
  await page.keyboard.press("Escape");

  // By key: into the cells, one on, and what is marked is what opens.
  await app.element("input:orders-0").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  const marked = app.element("input:orders-0").locator(".at");
  const offset = await marked.getAttribute("data-offset");
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: `Record orders-0@${offset}.` })
      .first(),
  ).toBeAttached();
  await page.keyboard.press("Enter");
  await expect(told(`orders-0@${offset}`)).toBeVisible();
  await expect(dialog.locator(".passport-record[aria-pressed=true]")).toBeInViewport();
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(app.element("input:orders-0")).toBeFocused();
  // Beyond the last cell one is at the partition again, and from there at its reader.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await expect(marked).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(app.element("subtask:orders[0]")).toBeFocused();
  await context.close();
});
