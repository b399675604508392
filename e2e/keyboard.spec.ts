/** Everything by key, and what a screen reader is told. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const phone = { width: 390, height: 844 };

/** Steps, fails and recovers with the keyboard alone. */
async function byKeyAlone(page: Page): Promise<void> {
  const app = new AppPage(page);
  await app.visitedBefore();
  await page.goto("/");
  await expect(app.button("Pause")).toBeVisible();
  await app.press("v");
  await app.press("n");
  await expect(page.getByTestId("narration")).toContainText("Checkpoint 1 is complete");
  // The stage is one tab stop: from the skip link straight into it.
  await page.keyboard.press("Tab");
  while (!(await page.locator("#stage :focus").count())) await page.keyboard.press("Tab");
  await expect(app.element("subtask:orders[0]")).toBeFocused();
  await page.keyboard.press("Alt+ArrowRight");
  await expect(app.element("subtask:total[0]")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(app.element("subtask:total[1]")).toBeFocused();
  await page.keyboard.press("f");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(app.branch(/^fail total\[1\]/)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("alarm")).toContainText("total[1]");
  await app.stepUntil(/Restart 1 is granted/);
  await expect(app.element("subtask:total[1]")).toBeFocused();
  await app.stepUntil(/Checkpoint 3 is complete/, "n", 5);
  await expect(app.element("subtask:total[1]")).toBeFocused();
  await expect(app.element("subtask:total[1]")).toHaveAttribute("aria-label", /RUNNING\. attempt 1/);
}

for (const [name, size] of [
  ["1440 px", { width: 1440, height: 900 }],
  ["390 px", phone],
] as const)
  test(`step, fail and recover by key alone at ${name}; the focus stays on the task through its restart`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await byKeyAlone(page);
  });

test("Enter tells all of an element, and Esc leads back to it", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const task = app.element("subtask:total[0]");
  await task.focus();
  await expect(task).toHaveAttribute(
    "aria-label",
    /^Total per key, subtask 0 of 2\. RUNNING\..*waiting at its inputs\. output to out\[0\]: \d+\. Enter for details, F for faults$/,
  );
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Selected" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(task).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(task).not.toHaveAttribute("aria-current");
});

test("E shows the event log, and in a field it is a letter; Shift+B goes to the next hit, or says that there is none", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  const log = page.getByRole("table", { name: "Event log" });
  await expect(log).toHaveCount(0);
  await app.press("e");
  await expect(page.getByRole("tab", { name: "Event log" })).toHaveAttribute("aria-selected", "true");
  await expect(log.getByRole("row").nth(1)).toBeVisible();
  await app.tab("Ledger");
  await expect(log).toHaveCount(0);
  await app.press("o");
  await expect(page.getByRole("tab", { name: "Outline" })).toHaveAttribute("aria-selected", "true");
  await app.press("e");
  const words = page.getByRole("searchbox", { name: "Words in the event" });
  await words.focus();
  await page.keyboard.press("e");
  await page.keyboard.press("o");
  await expect(words).toHaveValue("eo");
  await expect(page.getByRole("tab", { name: "Event log" })).toHaveAttribute("aria-selected", "true");

  await app.tab("Timeline");
  await app.press("Shift+B");
  await expect(page.getByRole("status").filter({ hasText: "No breakpoint is hit that way." })).toBeAttached();
  await app.press("n");
  await app.press("b");
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.press("Shift+B");
  await expect(page.locator(".position-stop")).toHaveText("Stopped at CheckpointCompleted");
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
});

/** Presses keys one behind the other, with no time between them. */
async function atOnce(page: Page, ...keys: readonly string[]): Promise<void> {
  await page.evaluate((pressed) => {
    for (const key of pressed)
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { key, shiftKey: /^[A-Z]$/.test(key), bubbles: true, cancelable: true }),
      );
  }, keys);
}

test("keys that follow each other at once act in turn: an arrow and F ask what should go wrong where the arrow leads", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:orders[0]").focus();
  await atOnce(page, "PageDown", "ArrowDown", "F");
  await expect(page.getByRole("menu")).toContainText("total[1]");
  await page.keyboard.press("Escape");
  await expect(app.element("subtask:total[1]")).toBeFocused();
});

test("undo and redo that follow each other at once, or what they undo, act in turn: none acts on what is still being made", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const delivery = page.getByRole("combobox", { name: "Sink delivery" });
  for (const chosen of ["at-least-once", "none"]) {
    await delivery.selectOption(chosen);
    await app.idle();
  }
  await page.locator("#stage").focus();
  await atOnce(page, "u", "u");
  await expect(delivery).toHaveValue("exactly-once");
  await app.idle();
  await atOnce(page, "U");
  await expect(delivery).toHaveValue("at-least-once");
  await app.idle();
  await atOnce(page, "U", "u", "U");
  await expect(delivery).toHaveValue("none");
  await app.idle();
  await atOnce(page, "c", "u");
  await expect(app.branch(/^trigger checkpoint at/)).toHaveAttribute("aria-pressed", "false");
  await expect(delivery).toHaveValue("none");
});

test("a key whose code is fetched with it is overtaken by none: the breakpoint is set where B was pressed", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const [sentence, event] = [await app.sentence.innerText(), await app.event()];
  expect(sentence).toContain("Checkpoint 1 is complete");
  await page.locator("#stage").focus();
  await atOnce(page, "b", "Home");
  await expect(page.getByRole("tab", { name: "Breakpoints" })).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => app.event()).toBe(0);
  await app.press("Shift+B");
  expect(await app.event()).toBe(event);
});

test("arrows lead along channels, Alt past them, and an edge says so", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.element("subtask:orders[0]").focus();
  await page.keyboard.press("ArrowRight");
  await expect(app.element("channel:orders[0]->total[0]")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(app.element("channel:orders[0]->total[1]")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(app.element("subtask:total[1]")).toBeFocused();
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(app.element("subtask:orders[0]")).toBeFocused();
  await page.keyboard.press("End");
  await expect(app.element("subtask:out[0]")).toBeFocused();
  await page.keyboard.press("PageUp");
  await expect(app.element("subtask:total[0]")).toBeFocused();
  await app.element("checkpoint:1").first().waitFor({ state: "detached" });
  await app.element("output:totals-0").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".stage-says")).toContainText("Nothing after this");
});

test("when what has the focus is gone its operator has it, and that is said", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const transaction = app.element("transaction:out-0-2");
  await transaction.focus();
  while ((await transaction.count()) > 0) await app.press("<");
  await expect(app.element("subtask:out[0]")).toBeFocused();
  await expect(page.locator(".stage-says")).toContainText("It is gone");
});

test("the outline says the same as the graph, live, and does the same", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.press("o");
  const grid = page.getByRole("treegrid");
  const row = (name: RegExp) => grid.getByRole("row", { name });
  await expect(row(/^total\[1\]/)).toContainText("RUNNING");
  await row(/^total\[1\]/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(row(/^to out\[0\]/).first()).toHaveAttribute("aria-level", "3");
  await page.keyboard.press("f");
  await page.getByRole("menuitem", { name: /^Throw exception/ }).click();
  await app.idle();
  await expect(row(/^total\[1\]/)).toBeFocused();
  await app.stepUntil(/Restart 1 is granted/);
  await expect(row(/^total\[1\]/)).toContainText(/FAILED|CANCELED/);
  await expect(row(/^total\[1\]/)).toBeFocused();
  await page.keyboard.press("Home");
  await expect(row(/^JobManager/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Selected" })).toContainText("JobManager");
  expect(await problems(page)).toEqual([]);
});

test("the palette finds actions, panels, scenarios and elements by name, and does them", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Name of an action or a thing" });
  await expect(field).toBeFocused();
  expect(await problems(page)).toEqual([]);
  await field.fill("next checkp");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("narration")).toContainText("Checkpoint 1 is complete");
  await page.keyboard.press("Control+k");
  await field.fill("sub total[1");
  await expect(page.getByRole("option").first()).toContainText("total[1]");
  await page.keyboard.press("Enter");
  await expect(app.element("subtask:total[1]")).toBeFocused();
  await page.keyboard.press("Control+k");
  await field.fill("ledg");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Ledger" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Control+k");
  await field.fill("two lanes");
  await page.keyboard.press("Enter");
  await expect(app.button(/^Scenario:.*lanes/)).toBeVisible();
  await page.keyboard.press("Control+k");
  await field.fill("zebra");
  await expect(page.getByText("Nothing has that name.")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("the sheet lists what acts, and single keys can be switched off for good", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Find and do anything by name");
  expect(await problems(page)).toEqual([]);
  await sheet.getByRole("checkbox", { name: /^Single-key shortcuts/ }).uncheck();
  await page.keyboard.press("Escape");
  const before = await app.event();
  await app.press("n");
  expect(await app.event()).toBe(before);
  await app.reload();
  await page.keyboard.press("v");
  await app.idle();
  await expect(app.button("Play")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Name of an action or a thing" })).toBeVisible();
});

test("several events at once are told as a digest", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.press("N");
  await expect(page.getByTestId("narration")).toContainText(/^\d+ events: .*Checkpoint \d is complete/);
});

test("undo and redo go between the branches of a fault, and between the scenarios of a change", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").click();
  await app.press("f");
  await page.getByRole("menuitem").first().click();
  await app.idle();
  const there = await app.event();
  await app.press("u");
  await expect(app.branch("as the scenario says")).toHaveAttribute("aria-pressed", "true");
  await app.press("Control+Shift+z");
  await expect(app.branch(/^fail total\[1\]/)).toHaveAttribute("aria-pressed", "true");
  expect(await app.event()).toBe(there);
  const delivery = page.getByRole("combobox", { name: "Sink delivery" });
  await delivery.selectOption("none");
  await app.idle();
  await expect(page.getByRole("navigation", { name: "Branches" })).toHaveCount(0);
  await app.press("Control+z");
  await expect(delivery).toHaveValue("exactly-once");
  await expect(app.branch(/^fail total\[1\]/)).toHaveAttribute("aria-pressed", "true");
  await app.press("Shift+U");
  await expect(delivery).toHaveValue("none");
  await app.press("Shift+U");
  await expect(page.getByText(/^Nothing to redo/)).toBeAttached();
});

test("R plays anew, Y asks what is to be different, H shows the outcome strip, Shift+K the legend, / searches", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.toEnd();
  await page.keyboard.press("r");
  await expect(app.button("Pause")).toBeVisible();
  await page.keyboard.press("v");
  expect(await app.event()).toBeLessThan(200);
  await app.press("y");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await app.press("h");
  await expect(page.locator(".crash-row")).toBeVisible();
  await app.press("h");
  await expect(page.locator(".crash-row")).toHaveCount(0);
  await page.keyboard.press("Shift+K");
  const legend = page.getByRole("dialog", { name: "Legend" });
  await expect(legend).toContainText("Sent again after a recovery");
  await expect(legend).toContainText("INITIALIZING");
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Name of an action or a thing" });
  await field.fill("CheckpointCompl");
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
});
