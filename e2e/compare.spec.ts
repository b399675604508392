/** Checkpointing modes side by side, computed by engines of their own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { slowSink, variantSource } from "../src/scenario/comparison.ts";
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
