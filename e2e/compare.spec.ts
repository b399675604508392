/** Checkpointing modes side by side, computed by engines of their own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { slowSink, variantSource } from "../src/scenario/comparison.ts";
import { orderTotals } from "../src/scenario/library/order-totals.ts";
import type { Report } from "../src/scenario/report.ts";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** What the command line reports of each variant of the example. */
function reports(): Report[] {
  const folder = mkdtempSync(path.join(tmpdir(), "compare-"));
  return slowSink.variants.map((variant) => {
    const file = path.join(folder, `${variant.id}.scenario.json`);
    writeFileSync(file, JSON.stringify(variantSource(slowSink, variant)));
    const told = execFileSync(process.execPath, ["scripts/sim.mjs", file, "--report"], { encoding: "utf8" });
    return JSON.parse(told) as Report;
  });
}

const number = (value: number): string => value.toLocaleString("en");

/** The cells of a row without what is said of the difference. */
async function figures(page: Page, name: string): Promise<string[]> {
  const cells = page.locator(`tr[data-figure="${name}"] td > :first-child`);
  await expect(cells).toHaveCount(3);
  return cells.allInnerTexts();
}

function column(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

async function openExample(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "What is compared" }).selectOption("example");
  await expect(page.getByText("In each run at the same time: fail count[0] at 2.000 s.")).toBeVisible();
  // Three engines at once may take their time.
  await expect(page.getByText("Figures come when a run has ended.")).toBeHidden({ timeout: 60_000 });
  await expect(page.locator('tr[data-figure="end"]')).not.toContainText("…");
}

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

test("three modes over one input: the figures are the command line's, one cursor leads all, one becomes the main run", async ({
  page,
}) => {
  const expected = reports();
  const app = new AppPage(page);
  await app.open();
  const title = await page.locator(".scenario-title").innerText();
  const before = await app.event();
  await page.keyboard.press("Shift+M");
  await expect(page.getByRole("dialog", { name: "Compare checkpointing modes" })).toBeVisible();
  await openExample(page);

  const completions = expected.map(({ checkpoints }) =>
    checkpoints.flatMap(({ status, triggered, ended }) => (status === "COMPLETED" ? (ended ?? 0) - triggered : [])),
  );
  expect(await figures(page, "longest")).toEqual(completions.map((list) => `${number(Math.max(...list))} ms`));
  expect(await figures(page, "persisted")).toEqual(
    expected.map(({ checkpoints }) => `${number(checkpoints.reduce((sum, row) => sum + row.persistedInFlight, 0))} B`),
  );
  expect(await figures(page, "readAgain")).toEqual(
    expected.map(({ recoveries }) => {
      const back = recoveries.flatMap(({ rewound }) => Object.values(rewound).map(([from, to]) => from - to));
      return `${number(back.reduce((sum, records) => sum + records, 0))} records`;
    }),
  );
  expect(await figures(page, "inState")).toEqual(
    expected.map(({ state }) => `${state.reduce((sum, { duplicated }) => sum + duplicated.length, 0)} records`),
  );
  expect(await figures(page, "end")).toEqual(expected.map(({ clock }) => `${number(clock)} ms`));
  const [aligned, unaligned, atLeastOnce] = await figures(page, "blocked");
  expect(aligned).not.toBe("0 ms");
  expect([unaligned, atLeastOnce]).toEqual(["0 ms", "0 ms"]);
  await expect(page.getByRole("row", { name: /Result as readers see it/ })).toContainText(/OK.*OK.*DUPLICATE/);
  expect(await problems(page)).toEqual([]);

  // By checkpoint each run stands at a time of its own.
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await expect(page.getByRole("status").filter({ hasText: /^Checkpoint 2: aligned/ })).toBeAttached();
  for (const [index, name] of ["Exactly-once, aligned", "Exactly-once, unaligned", "At-least-once"].entries()) {
    const second = expected[index]?.checkpoints.filter(({ status }) => status === "COMPLETED")[1];
    await expect(column(page, name)).toContainText(`${((second?.ended ?? 0) / 1000).toFixed(3)} s`);
    await expect(column(page, name)).toContainText(`Checkpoint ${second?.id} is complete`);
  }
  // By time all stand at one.
  const slider = page.getByRole("slider", { name: "Simulated time" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".compare-clock").first()).toHaveText("0.000 s");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  const clocks = await page.locator(".compare-clock").allInnerTexts();
  expect(new Set(clocks).size).toBe(1);
  expect(clocks[0]).not.toBe("0.000 s");
  await app.button("Play").click();
  await expect(page.locator(".compare-clock").first()).not.toHaveText(clocks[0] ?? "");
  await app.button("Pause").click();

  // Leaving keeps what was there; opening one makes it the main run at that moment.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await page.locator(".scenario-title").innerText()).toBe(title);
  expect(await app.event()).toBe(before);
  await page.keyboard.press("Shift+M");
  await openExample(page);
  await page.keyboard.press("n");
  await app.button("Open as the main run: At-least-once").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await app.idle();
  await expect(page.locator(".scenario-title")).toContainText("One slow sink");
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
  await app.toEnd();
  await expect(app.badge()).toHaveText("DUPLICATE");
});

test("what was decided on screen happens in every mode, and Flink's refusals and notices are told", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").click();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await page.keyboard.press("Shift+M");
  await expect(page.getByText(/In each run at the same time: fail total\[1\] at 1\.\d+ s\./)).toBeVisible();
  await expect(page.locator('tr[data-figure="end"]')).not.toContainText("…");
  for (const records of await figures(page, "readAgain")) expect(records).not.toBe("0 records");
  await page.keyboard.press("Escape");

  for (const [config, words, where] of [
    [{ "execution.checkpointing.max-concurrent-checkpoints": 2 }, /maxConcurrentCheckpoints can't be > 1/, "unaligned"],
    [{ "execution.checkpointing.unaligned.enabled": true }, /It switches them off \(CP-081\)/, "at-least-once"],
  ] as const) {
    const { source } = slowSink;
    // A title of its own: what was open before is no answer.
    const scenario = {
      ...source,
      title: { en: `Slow, ${where}` },
      config: { ...(source["config"] as object), ...config },
    };
    await page.goto(`/#run=${encodeURIComponent(JSON.stringify({ scenario, faults: [] }))}`);
    await expect(page.locator(".scenario-title")).toContainText(`Slow, ${where}`);
    await page.keyboard.press("Shift+M");
    await expect(page.getByRole("dialog").getByText(words).first(), where).toBeVisible();
    await expect(page.locator('tr[data-figure="end"]')).not.toContainText("…");
    expect(await problems(page), where).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

test("on a phone the runs are swiped through, the table is under them, and nothing scrolls sideways", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Compare modes…" }).click();
  await openExample(page);
  await app.button("unaligned").click();
  await expect(app.button("unaligned")).toHaveAttribute("aria-pressed", "true");
  await expect(column(page, "Exactly-once, unaligned")).toBeInViewport({ ratio: 0.5 });
  await expect(column(page, "Exactly-once, aligned")).not.toBeInViewport({ ratio: 0.1 });
  // Who wishes less motion sees the other run at once.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.button("aligned").evaluate((tab: HTMLElement) => tab.click());
  expect(await page.locator(".compare-columns").evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  await page.locator('tr[data-figure="atSinks"]').scrollIntoViewIfNeeded();
  await expect(page.locator('tr[data-figure="atSinks"]')).toBeInViewport();
  expect(await page.evaluate(() => document.querySelector(".compare .dialog-body")?.scrollWidth)).toBe(390);
  expect(await problems(page)).toEqual([]);
});

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

test("the difference in sentences: each therefore leads to the entry that came of the one before", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Shift+M");
  await openExample(page);
  const short = page.getByRole("region", { name: "In short" });
  await expect(short.getByRole("listitem").first()).toHaveText(
    /^B overtook 2 buffers at out\[0\]; therefore checkpoint 2 completed after 32 ms in B instead of failing after 545 ms; therefore B went back to checkpoint 2 instead of checkpoint 1; therefore 59 records fewer were read again \(28 in B, 87 in A\)\.$/,
  );
  const therefore = short.getByRole("button", { name: /^therefore: both to event/ }).first();
  const step = /event ([\d,]+)/.exec((await therefore.getAttribute("aria-label")) ?? "")?.[1] ?? "";
  await therefore.press("Enter");
  await expect(page.getByText(`all at event ${step}`)).toBeVisible();
  // Turned round, it is told the other way.
  await page.keyboard.press("s");
  await expect(short.getByRole("listitem").first()).toContainText("59 records more were read again (87 in B, 28 in A)");
  expect(await problems(page)).toEqual([]);
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

test("in step by the phases of a checkpoint each run stands where its checkpoint came to the same phase", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press("Shift+M");
  await openExample(page);
  await page.getByRole("combobox", { name: "Step by" }).selectOption("phase");
  await page.getByRole("slider", { name: "Simulated time" }).press("Home");
  await page.locator("body").press(".");
  await expect(page.getByText("each at checkpoint 1: triggered")).toBeVisible();
  for (let i = 0; i < 3; i++) await page.locator("body").press(".");
  const clocks = await page.locator(".compare-clock").allInnerTexts();
  expect(new Set(clocks).size).toBeGreaterThan(1);
  await page.locator("body").press(",");
  await expect(page.getByText(/^each at checkpoint 1: /)).toBeVisible();
});
