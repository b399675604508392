/** The guarantee table from real runs, with the real pool, and the timeouts calculator that plays what it says. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const cell = (page: Page, source: string, mode: RegExp, sink: string): ReturnType<Page["getByRole"]> =>
  page.getByRole("button", { name: new RegExp(`Show the runs of ${source}, ${mode.source}.*, ${sink}:`) });

const sidewise = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

test("SK-040: the guarantee table is computed; a cell tells its runs by moment, and one of them opens", async ({
  page,
}) => {
  // Thousands of runs a cell, on a machine that may be busy.
  test.setTimeout(400_000);
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("g");
  const dialog = page.getByRole("dialog", { name: "Guarantee table" });
  await expect(dialog).toBeVisible();
  await page.getByRole("combobox", { name: "Source", exact: true }).selectOption("kafka-source");
  await app.button("Compute the table").click();
  const lossy = cell(page, "kafka-source", /EXACTLY_ONCE/, "kafka-sink none");
  await expect(lossy).toContainText("lost", { timeout: 120_000 });

  // It pauses, and what there is stays; closing the dialog does not stop it.
  await app.button("Pause").click();
  await expect(page.getByTestId("guarantees-figures")).toContainText("Paused");
  await app.button("Go on").click();
  const exact = cell(page, "kafka-source", /EXACTLY_ONCE/, "kafka-sink exactly-once, read_committed");
  await expect(exact).toContainText("exact", { timeout: 120_000 });
  await expect(exact).not.toContainText("duplicated");
  await expect(cell(page, "kafka-source", /EXACTLY_ONCE/, "kafka-sink at-least-once")).toContainText("duplicated");
  await app.button("Stop").click();
  await expect(page.getByTestId("guarantees-figures")).toContainText("Stopped");
  await expect(app.button("Compute the rest")).toBeVisible();

  await lossy.click();
  const runs = page.getByRole("region", { name: "Runs of the cell" });
  await expect(runs.getByRole("row", { name: /completed to commit/ })).toContainText(/lost in [\d,]+/);
  expect(await problems(page)).toEqual([]);
  await page.getByRole("combobox", { name: "The process fails" }).selectOption("before");
  await expect(lossy).not.toContainText("lost");

  await runs
    .getByRole("row", { name: /completed to commit/ })
    .getByRole("button", { name: /^lost/ })
    .click();
  await expect(dialog).toBeHidden();
  await app.idle();
  await expect(page.locator(".scenario-title")).toHaveText("kafka-source, EXACTLY_ONCE, kafka-sink none");
  await app.toEnd();
  await expect(app.badge()).toHaveText("LOSS");

  await page.keyboard.press("g");
  await expect(lossy).toHaveAttribute("aria-pressed", "true");
});

test("on a phone the table scrolls within itself", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("g");
  await app.button("Compute the table").click();
  await expect(cell(page, "kafka-source", /EXACTLY_ONCE/, "kafka-sink none")).toContainText("lost", {
    timeout: 120_000,
  });
  await app.button("Stop").click();
  expect(await sidewise(page)).toBe(390);
  expect(await problems(page)).toEqual([]);
});

async function lostRecords(page: Page): Promise<number> {
  return Number(
    await page.locator(".ledger-summary").getByText("Lost", { exact: true }).locator("..").locator("dd").innerText(),
  );
}

test("SK-160: the calculator tells which inequality fails, and plays the loss", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Shift+T");
  const dialog = page.getByRole("dialog", { name: "Timeouts of a transactional sink" });
  await expect(dialog).toBeVisible();
  const field = (name: string): ReturnType<Page["getByLabel"]> => dialog.getByLabel(name, { exact: true });
  await expect(field("Checkpoint interval")).toHaveValue("1 s");
  await expect(dialog.getByRole("heading", { name: "Nothing is lost" })).toBeVisible();
  expect(await problems(page)).toEqual([]);

  await field("Expected outage").fill("20 s");
  await field("Detection").fill("5 s");
  await field("Transaction timeout").fill("10 s");
  await expect(dialog.locator('[data-inequality="outage-survived"]')).toHaveAttribute("data-state", "fails");
  await expect(dialog.locator('[data-inequality="commit-in-time"]')).toHaveAttribute("data-state", "holds");
  await expect(dialog.getByRole("heading", { name: /Records are lost 20.000 s into the run/ })).toBeVisible();

  await field("Restart delay").fill("soon");
  await expect(app.button("Play this")).toBeDisabled();
  await expect(dialog.getByText("A duration from 0 ms to 1440 min.")).toBeVisible();
  expect(await problems(page)).toEqual([]);
  await field("Restart delay").fill("1 s");

  await app.button("Play this").click();
  await expect(dialog).toBeHidden();
  await app.toEnd();
  await expect(page.getByRole("tab", { name: "Ledger" })).toHaveAttribute("aria-selected", "true");
  await expect(app.badge()).toHaveText("LOSS");
  expect(await lostRecords(page)).toBe(3);
  await expect(page.getByRole("cell", { name: "lost", exact: true })).toHaveCount(3);
});

test("SK-159: with Flink's default of an hour the sink never starts, and nothing is lost; it fits a phone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Shift+T");
  await page.getByLabel("Transaction timeout", { exact: true }).fill("1 h");
  await expect(page.getByRole("heading", { name: /A restart loop/ })).toBeVisible();
  await expect(page.locator('[data-inequality="broker-limit"]')).toHaveAttribute("data-state", "fails");
  expect(await sidewise(page)).toBe(390);
  await app.button("Play this").click();
  await app.toEnd();
  await expect(page.getByTestId("sentence")).toContainText("failed for good");
  await expect(app.badge()).toHaveText("STUCK");
  expect(await lostRecords(page)).toBe(0);
});
