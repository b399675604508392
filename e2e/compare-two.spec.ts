/** Two runs side by side, or in one picture: a branch and the one it left, or another run. */
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { orderTotals } from "../src/scenario/library/order-totals.ts";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** A branch of the run on screen in which a task fails behind checkpoint 1, beside the run it left. */
async function openFailedBeside(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.element("subtask:total[1]").click();
  await page.keyboard.press("f");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await page.keyboard.press("d");
  await expect(page.getByRole("dialog", { name: "Compare two branches" })).toBeVisible();
  return app;
}

test("two branches are put side by side: first difference, what follows, in step by event, time and checkpoint", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.element("subtask:total[1]").click();
  await page.keyboard.press("f");
  await page.getByRole("menuitem").first().click();
  await app.idle();
  await app.tab("Branches");

  // It gets a name, is deleted, and comes back.
  await app.button(/^Rename fail/).click();
  await page.getByRole("textbox", { name: /^Name of/ }).fill("the bad night");
  await page.keyboard.press("Enter");
  await expect(app.branch("the bad night")).toBeVisible();
  await app.button("Delete the bad night and what branches off from it").click();
  await expect(page.getByRole("navigation", { name: "Branches" })).toHaveCount(0);
  await app.button("Undo the deletion").click();
  await app.branch("the bad night").click();
  expect(await problems(page)).toEqual([]);

  await app.button("Compare…").click();
  await expect(page.getByRole("combobox", { name: "What is compared" })).toHaveValue("branches");
  const difference = page.getByRole("region", { name: "First difference" });
  await expect(difference).toContainText("the bad night:");
  await expect(difference.getByRole("listitem").nth(1)).toContainText("Fault: total[1]");
  await expect(page.getByRole("region", { name: "What follows from it" })).toContainText("therefore");
  await expect(page.locator(".compare-divergence")).toHaveCount(2);
  await difference.getByRole("button", { name: "Both to the first difference" }).click();
  await expect(page.getByText(/^all at event/)).toBeVisible();
  expect(await problems(page)).toEqual([]);

  await page.getByRole("combobox", { name: "Step by" }).selectOption("event");
  const before = await page.getByText(/^all at event/).innerText();
  await page.keyboard.press(".");
  await expect(page.getByText(/^all at event/)).not.toHaveText(before);
  await page.keyboard.press(",");
  await expect(page.getByText(/^all at event/)).toHaveText(before);
  await page.keyboard.press("n");
  await expect(page.getByText(/^each at its checkpoint/)).toBeVisible();
  await page.getByRole("combobox", { name: "Step by" }).selectOption("time");
  await page.keyboard.press(".");
  await expect(page.getByText("all at one time")).toBeVisible();

  // A branch beside itself.
  await page.getByRole("combobox", { name: "B", exact: true }).selectOption("0");
  await expect(page.getByText("The two runs are the same, entry by entry.")).toBeVisible();
});

test("by D a branch is put beside the one it left: what it was given, what came of it, A and B swapped by key", async ({
  page,
}) => {
  const app = await openFailedBeside(page);
  const given = page.getByRole("region", { name: "What is not the same to begin with" });
  const row = given.getByRole("row", { name: /^fail total\[1\]/ });
  await expect(row.getByRole("rowheader")).toHaveText("fail total[1] only in B");
  await expect(row.getByRole("cell").nth(0)).toHaveText("–");
  await expect(row.getByRole("cell").nth(1)).toHaveText(/^at 1\.\d+ s$/);
  await expect(row.getByRole("cell").nth(2)).toContainText("total[1] stops with an exception");
  await expect(row.getByRole("cell").nth(2)).toContainText("It follows from the event of the command itself.");
  await row.getByRole("button").press("Enter");
  await expect(page.getByText(/^all at event/)).toBeVisible();
  // As it was the other way round.
  await page.keyboard.press("s");
  await expect(given.getByRole("rowheader")).toHaveText("fail total[1] only in A");
  await expect(page.getByText(/^all at event/)).toBeVisible();
  await app.button("Swap A and B").click();
  await expect(given.getByRole("rowheader")).toHaveText("fail total[1] only in B");
  expect(await problems(page)).toEqual([]);

  // Of the modes any two are told apart, by their options.
  await page.getByRole("combobox", { name: "What is compared" }).selectOption("example");
  const option = given.getByRole("row", { name: /unaligned\.enabled/ });
  await expect(option.getByRole("cell").nth(0)).toHaveText("false");
  await expect(option.getByRole("cell").nth(1)).toHaveText("true");
  await expect(option.getByRole("cell").nth(2)).toContainText("It follows from event");
  await page.getByRole("combobox", { name: "B", exact: true }).selectOption({ label: "At-least-once" });
  await expect(given.getByRole("row", { name: /^execution\.checkpointing\.mode/ })).toContainText("AT_LEAST_ONCE");
  expect(await problems(page)).toEqual([]);
});

test("one picture of both: halves with words, a slider by key, what is chosen is told, and the choice is remembered", async ({
  page,
}) => {
  const app = await openFailedBeside(page);
  await page.keyboard.press("v");
  const both = page.getByRole("region", { name: "One picture of both" });
  await expect(both).toBeVisible();
  await expect(page.getByRole("button", { name: "One picture", exact: true })).toHaveAttribute("aria-pressed", "true");
  await app.button("Both to the first difference").click();
  for (let i = 0; i < 4; i++) await page.keyboard.press(".");

  // The card is halved: its name says how, and so does the list.
  const failed = both.locator('[data-element="subtask:total[1]"]');
  await expect(failed).toHaveAttribute("aria-label", /^Total per key, subtask 1 of 2 differs: A RUNNING.*; B FAILED/);
  await expect(failed).toHaveAttribute("clip-path", /url/);
  await expect(both.locator(".both-word", { hasText: "B FAILED" })).toBeVisible();
  await both.getByText(/\d+ elements differ here/).click();
  await both.getByRole("button", { name: "Total per key, subtask 1 of 2", exact: true }).click();
  await expect(both.locator(".compare-chosen")).toContainText(/A RUNNING.*B FAILED/);
  await expect(failed).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(both.locator('[data-kind="channel"]:focus')).toBeVisible();
  expect(await problems(page)).toEqual([]);

  const slider = both.getByRole("slider", { name: "Blend A into B" });
  await expect(slider).toHaveAttribute("aria-valuetext", "half A, half B");
  const left = async (): Promise<number> =>
    (await both.locator(".both-word", { hasText: "B FAILED" }).boundingBox())?.x ?? 0;
  const middle = await left();
  await slider.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "70 % B");
  expect(await left()).toBeLessThan(middle);
  await page.keyboard.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", "all B");
  await expect(both.locator(".both-word", { hasText: "A RUNNING" })).toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(both.locator(".both-word", { hasText: "B FAILED" })).toHaveCount(0);

  // Before the difference nothing is halved; the choice stays for the next time.
  await page.getByRole("slider", { name: "Simulated time" }).press("Home");
  await expect(both.getByText("Here both are the same")).toBeVisible();
  await expect(both.locator("[clip-path]")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.reload();
  await app.idle();
  await page.keyboard.press("Shift+M");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(both).toBeVisible();
  await page.keyboard.press("v");
  await expect(page.getByRole("region", { name: "The runs" })).toBeVisible();
});

test("two jobs that do not stand the same have no one picture: it says so, and they are shown side by side", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.visitedBefore();
  // The same job, whose vertices are written down in another order.
  const { job } = orderTotals;
  const vertices = [...job.vertices].reverse();
  const scenario = { ...orderTotals, title: { en: "Turned round" }, job: { ...job, vertices } };
  await page.goto(`/#run=${encodeURIComponent(JSON.stringify({ scenario, faults: [] }))}`);
  await expect(page.locator(".scenario-title")).toContainText("Turned round");
  await app.button("Pause").click();
  await app.idle();
  await page.keyboard.press("d");
  await app.button("Choose another…").click();
  const other = page.getByRole("combobox", { name: "The other run" });
  await other.selectOption({ label: "Kafka to Kafka, exactly once" });
  await expect(page.locator('tr[data-figure="end"]')).not.toContainText("…", { timeout: 60_000 });
  await page.keyboard.press("v");
  const both = page.getByRole("region", { name: "One picture of both" });
  await expect(both).toContainText("The jobs of the two runs do not stand the same here");
  await expect(both.locator(".compare-picture")).toBeHidden();
  await expect(both.getByRole("slider")).toHaveCount(0);
  await expect(both).not.toContainText("Here both are the same");
  // What happens in each is told all the same.
  await page.locator("body").press("n");
  await expect(both.getByText(/Checkpoint 1 is complete/)).toHaveCount(2);
  expect(await problems(page)).toEqual([]);
  // On a phone as well, and there the button that swaps them does not lie over what is chosen.
  await page.setViewportSize({ width: 390, height: 844 });
  const [swap, chosen] = [
    await app.button("Swap A and B").boundingBox(),
    await page.getByText("The other run").boundingBox(),
  ];
  expect((swap?.x ?? 0) + (swap?.width ?? 0)).toBeLessThanOrEqual(chosen?.x ?? 0);
  await both.getByRole("button", { name: "Show them side by side" }).press("Enter");
  await expect(page.getByRole("region", { name: "The runs" }).locator(".compare-picture")).toHaveCount(2);
});

test("without a second run it says so and what to do; another run is chosen, and the difference is saved as a file", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("d");
  const needs = page.getByRole("region", { name: "Compare needs two runs." });
  await expect(needs).toBeVisible();
  expect(await problems(page)).toEqual([]);
  await needs.getByRole("button", { name: "Fork this run" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: /^Trigger a checkpoint/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("d");
  await needs.getByRole("button", { name: "Choose another…" }).click();
  const other = page.getByRole("combobox", { name: "The other run" });
  await expect(other).toBeVisible();
  await other.selectOption({ label: "One slow sink: a job under backpressure" });
  await expect(page.getByRole("region", { name: "In short" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("region", { name: "What is not the same to begin with" })).toContainText("job");
  expect(await problems(page)).toEqual([]);

  const asMarkdown = page.waitForEvent("download");
  await app.button("Export the difference").click();
  const markdown = readFileSync(await (await asMarkdown).path(), "utf8");
  expect(markdown).toContain("# Difference of two runs");
  expect(markdown).toContain("- B: One slow sink");
  const asJson = page.waitForEvent("download");
  await app.button("As JSON").click();
  const json = JSON.parse(readFileSync(await (await asJson).path(), "utf8")) as { summary: string[] };
  for (const sentence of json.summary) expect(markdown).toContain(sentence);

  await app.button("Make B the main run").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.locator(".scenario-title")).toContainText("One slow sink");
});
