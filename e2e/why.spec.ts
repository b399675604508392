/** Why: what waits for what, causes back to their root, effects, and what would be without a cause. */
import { expect, test } from "@playwright/test";
import { Timeline } from "../src/engine/timeline.ts";
import { completeEngine } from "../src/engine/whole.ts";
import { fateOf } from "../src/projection/fact.ts";
import { eventTypes } from "../src/protocol/events.ts";
import type { EventLog } from "../src/protocol/log.ts";
import { orderTotals } from "../src/scenario/library/order-totals.ts";
import { scenarioFrom } from "../src/scenario/parse.ts";
import { enWhy } from "../src/ui/text/en-why.ts";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const why = (app: AppPage) => app.page.locator(".why");

const ORDER = /^What if not, event (\d+) first: /;

/** The engine beside the page: what it makes of the run that is open there, with events in another order. */
class Beside {
  private readonly timeline: Timeline;
  private readonly log: EventLog;

  constructor() {
    completeEngine();
    const read = scenarioFrom(orderTotals);
    if (!read.ok) throw new Error("a library scenario");
    this.timeline = new Timeline(read.value);
    this.log = this.whole(0);
  }

  private whole(branch: number): EventLog {
    while (this.timeline.extend(branch));
    const found = this.timeline.branches[branch];
    if (found === undefined) throw new Error("a branch that was forked");
    return found.log;
  }

  /** What becomes of the completion of the first checkpoint where `other` comes before `step`, as the panel tells it. */
  otherWayRound(step: number, other: number): string {
    const { log } = this;
    const ms = log.clock(other) - log.clock(step);
    const command = { do: "suppress", target: null, rpc: null, checkpoint: null, count: 1, for: ms } as const;
    const made = this.whole(this.timeline.fork(0, step, command).id);
    const [one, two] = [step, other].map((each) => fateOf(log, each, made, step));
    const changed = two?.kind !== "gone" && (one?.kind === "gone" || (two?.step ?? 0) < (one?.step ?? 0));
    if (!changed) return enWhy.cannotReorder;
    const completed = eventTypes.indexOf("CheckpointCompleted");
    const fact = Array.from({ length: log.length }, (_, each) => each).find((each) => log.type(each) === completed);
    const fate = fateOf(log, fact ?? 0, made, step);
    return fate.kind === "later" ? enWhy.fates.later(fate) : enWhy.fates[fate.kind]();
  }
}

test("a waiting checkpoint says by key what it waits for; the culprits are lit, all else fades", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.toFirst("stops reading");
  await app.element("checkpoint:1").first().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("w");
  await expect(why(app).getByRole("heading", { name: "Why is Checkpoint 1 so?" })).toBeVisible();
  const waits = why(app).getByRole("region", { name: "What it waits for" });
  await expect(waits).toContainText(
    /Checkpoint 1 waits for 5 of 5 acknowledgements; total\[\d\] holds it up|out\[0\] holds it up/,
  );
  await expect(waits).toContainText(/waits for barrier 1 from/);
  await expect(why(app)).toContainText("execution.checkpointing.interval is 1 s");
  await expect(page.locator(".world.lighting")).toHaveCount(1);
  await expect(app.element("checkpoint:1").first()).toHaveClass(/lit/);
  await expect(app.element("taskManager:tm-1")).not.toHaveClass(/lit/);
  await app.tab("Event log");
  await page.getByRole("searchbox", { name: "Words in the event" }).fill("CheckpointTriggered");
  await expect(page.locator(".event-table .virtual-row[data-lit]").first()).toBeVisible();
  await expect(page.locator(".event-table .virtual-row:not(.head, [data-lit])").first()).toBeVisible();
  expect(await problems(page)).toEqual([]);

  await app.tab("Event log");
  await page.keyboard.press("w");
  await expect(why(app)).toBeHidden();
  await expect(page.locator(".world.lighting")).toHaveCount(0);
});

test("a restart leads back to the fault; without the fault it is gone, and that run opens", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/, ">");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("f");
  await page.getByRole("menuitem", { name: /^Throw exception/ }).click();
  await app.idle();
  await page.keyboard.press("Escape");
  await app.stepUntil(/^Restart 1 is granted/, ".", 60);
  await page.keyboard.press("w");
  await expect(why(app).getByText("you", { exact: true })).toBeVisible();

  const fault = why(app)
    .getByRole("listitem")
    .filter({ hasText: /because fault: total\[1\] throws/ });
  await fault.getByRole("button", { name: /^What if not/ }).press("Enter");
  await expect(fault).toContainText("then this is gone", { timeout: 60_000 });
  await expect(fault).toContainText("OK");
  expect(await problems(page)).toEqual([]);

  // What came of it leads on, and back.
  const effects = why(app).getByRole("region", { name: "What came of it" });
  const before = await app.event();
  await effects
    .getByRole("button", { name: /^Go to/ })
    .first()
    .press("Enter");
  expect(await app.event()).toBeGreaterThan(before);

  await app.stepUntil(/^Restart 1 is granted/, ",", 60);
  await fault.getByRole("button", { name: /^What if not/ }).press("Enter");
  await fault.getByRole("button", { name: "open that run" }).click();
  await app.idle();
  await expect(app.branch(/what if not/)).toBeVisible();
  await app.toEnd();
  await expect(app.badge()).toHaveText("OK");
});

test("an option that is at fault goes back to Flink's default, a record is dropped: the fact is gone", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.toFirst("CheckpointTriggered");
  await page.keyboard.press("w");
  const option = why(app).getByRole("listitem").filter({ hasText: "execution.checkpointing.interval is 1 s" });
  await option.getByRole("button", { name: /^What if not, Flink's default instead/ }).press("Enter");
  await expect(option).toContainText("then this is gone", { timeout: 60_000 });
  await option.getByRole("button", { name: "open that run" }).press("Enter");
  await app.idle();
  await expect(page.getByRole("button", { name: /^Scenario:/ })).toBeVisible();
  await app.tab("Checkpoints");
  await expect(page.getByRole("row", { name: /COMPLETED/ })).toHaveCount(0);

  await app.toFirst("RecordReceived");
  // It stayed open.
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  const record = why(app)
    .getByRole("listitem")
    .filter({ hasText: /because orders\[\d\] reads/ });
  await record.getByRole("button", { name: /^What if not, drop the record/ }).press("Enter");
  await expect(record).toContainText("then this is gone", { timeout: 60_000 });
  expect(await problems(page)).toEqual([]);
});

test("two events that do not come of each other are tried the other way round", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await page.keyboard.press("w");
  await why(app)
    .getByRole("region", { name: "Why" })
    .getByRole("button", { name: / more$/ })
    .click();
  const links = why(app)
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: ORDER }) });
  const run = new Beside();
  const told: string[] = [];
  for (let place = 0; place < (await links.count()); place++) {
    const link = links.nth(place);
    const order = link.getByRole("button", { name: ORDER });
    const other = Number(ORDER.exec((await order.getAttribute("aria-label")) ?? "")?.[1]);
    const shown = await link.getByRole("button", { name: /^Go to/ }).getAttribute("aria-label");
    const expected = run.otherWayRound(Number(/\d+/.exec(shown ?? "")?.[0]), other);
    await order.press("Enter");
    await expect(link.locator(".why-answer")).toContainText(expected, { timeout: 60_000 });
    told.push(expected);
  }
  // Not all are refused, and not all change the fact.
  expect(told).toContain("these two cannot change places");
  expect(told).toContain("then this happens all the same");
  expect(told.some((words) => /^then this comes \d+ ms later$/.test(words))).toBe(true);
  expect(await problems(page)).toEqual([]);
});

test("where two tasks fail at once neither failure is needed: each cause is tried, and the fact is over-determined", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.visitedBefore();
  const faults = ["total[0]", "total[1]"].map((target) => ({ at: { time: "1500 ms" }, do: "fail-task", target }));
  const scenario = { ...orderTotals, title: { en: "Two at once" }, faults };
  await page.goto(`/#run=${encodeURIComponent(JSON.stringify({ scenario, faults: [] }))}`);
  await expect(page.locator(".scenario-title")).toContainText("Two at once");
  await app.button("Pause").click();
  await app.idle();
  await page.getByRole("tab", { name: "Event log" }).click();
  await page.getByRole("searchbox", { name: "Words in the event" }).fill("RESTARTING");
  const row = page.getByRole("table", { name: "Event log" }).getByRole("row").nth(1);
  await expect(row).toContainText("JobStatusChanged");
  await row.getByRole("button", { name: /^Go to event/ }).click();
  await page.keyboard.press("w");
  await expect(why(app)).toContainText("because fault: total[0] throws");
  await expect(why(app).locator(".why-over")).toHaveCount(0);
  await why(app).getByRole("button", { name: "What if not, each" }).press("Enter");
  await expect(why(app).locator(".why-over")).toHaveText(
    "Over-determined: without any single one of these 3 causes it happens all the same.",
    { timeout: 60_000 },
  );
  await expect(why(app).locator('.why-answer[data-fate="still"]')).toHaveCount(3);
  expect(await problems(page)).toEqual([]);
});

test("on a phone it stands under the sentence, and nothing scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await app.button("Why?").click();
  await expect(why(app)).toContainText("because");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // Tall enough that nothing is under the transport.
  await page.setViewportSize({ width: 390, height: 3000 });
  expect(await problems(page)).toEqual([]);
});
