// `npm run screens [-- NAME…]`: serves the build, drives a browser through a list of shots and writes docs/screens/.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { preview } from "vite";
import { browserOrThrow } from "./browser.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "docs", "screens");

/**
 * @typedef {object} Shot
 * @property {string} name file name without ending
 * @property {string} at what follows the address: query and hash
 * @property {{ width: number, height: number }} [viewport] 1440 × 900 where it says nothing
 * @property {"light" | "dark"} [scheme] light where it says nothing
 * @property {string} [locale] en-US where it says nothing
 * @property {(page: import("@playwright/test").Page) => Promise<void>} [before] what to do before the picture is taken
 */

/** A run of parallelism 128 has 270,000 events, which are computed and then judged one by one. */
const LONGEST = 240_000;

const idle = (page) => page.waitForSelector('html[data-idle="true"]', { timeout: LONGEST });

async function press(page, key) {
  await page.keyboard.press(key);
  await idle(page);
}

/** Steps until the narrator says it. */
async function until(page, words, key = ".") {
  await idle(page);
  for (let i = 0; i < 2000; i++) {
    if (words.test(await page.getByTestId("sentence").innerText())) return;
    await press(page, key);
  }
  throw new Error(`no step says ${words}`);
}

/** The panels are there, and nothing invites any more. */
async function settled(page) {
  const hint = page.getByRole("button", { name: "Got it" });
  if (await hint.isVisible()) await hint.click();
  // A phone has a bar of tabs, and the stage in front.
  if (await page.locator(".tab-bar").isVisible()) return;
  await page.getByRole("tab", { name: "Timeline" }).waitFor();
  await page.locator(".timeline").waitFor();
}

/** Opens a panel; on a phone by way of the bar at the bottom. */
async function panel(page, name) {
  if (!(await page.locator(".tab-bar").isVisible())) return page.getByRole("tab", { name }).click();
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "More" }).click();
  return page
    .getByRole("dialog")
    .getByRole("button", { name: new RegExp(`^${name}`) })
    .click();
}

/** A record waits behind a barrier that came early. */
async function alignment(page) {
  await idle(page);
  await settled(page);
  await press(page, "n");
  await until(page, /stops reading/);
}

async function failure(page) {
  await idle(page);
  await settled(page);
  await press(page, "n");
  await press(page, "n");
  await until(page, /out\[0\] writes/);
  await page.locator('[data-element="subtask:total[1]"]').click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await until(page, /Restart 1 is granted/);
}

async function recovery(page) {
  await failure(page);
  await until(page, /again \(pass 2\)/);
}

async function ledger(page) {
  await idle(page);
  await settled(page);
  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption("at-least-once");
  await failure(page);
  await page.getByRole("slider", { name: "Position in the run" }).press("End");
  await idle(page);
  await page.locator(".outcome-badge").click();
  await page.getByTestId("verdict").waitFor();
}

/** Fails everything, everywhere, and waits for what the picture is to show. */
async function sweep(page, { delivery = "exactly-once", until = "Sweep again" } = {}) {
  await idle(page);
  await settled(page);
  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption(delivery);
  await idle(page);
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Fail everything, everywhere" }).click();
  if (until === "running") await page.getByText(/\d a second/).waitFor();
  else await page.getByRole("button", { name: until }).waitFor({ timeout: 120_000 });
}

const sweepClean = (page) => sweep(page);
const sweepRunning = (page) => sweep(page, { delivery: "at-least-once", until: "running" });
const sweepHarmful = (page) => sweep(page, { delivery: "at-least-once" });

async function sweepOpened(page) {
  await sweepHarmful(page);
  await page
    .getByRole("table", { name: /Harmful runs/ })
    .getByRole("button")
    .first()
    .click();
  await page.getByRole("navigation", { name: "Branches" }).waitFor();
  await idle(page);
}

/** Follows a barrier through the second checkpoint of the shuffle, then shows the checkpoint by subtask. */
async function checkpointTimeline(page) {
  await idle(page);
  await settled(page);
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name: /shuffle/ }).click();
  await idle(page);
  await panel(page, "Checkpoints");
  await press(page, "n");
  await press(page, "n");
  await page.getByRole("button", { name: "Checkpoint 2 by subtask" }).click();
  await page.getByRole("button", { name: /MAP\[0\]: alignment/ }).click();
  await idle(page);
}

/** One checkpoint failed, another restored: what the panel's views say of it. */
async function checkpoints(page, view) {
  await failure(page);
  await page.getByRole("slider", { name: "Position in the run" }).press("End");
  await idle(page);
  await panel(page, "Checkpoints");
  await page.getByRole("tab", { name: view }).click();
}

async function scenario(page, name) {
  await idle(page);
  await settled(page);
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name }).click();
  await idle(page);
}

/** One lane of two has failed: its region is lit, the other goes on. */
async function failover(page) {
  await scenario(page, /lanes/);
  await press(page, "n");
  await page.locator('[data-element="subtask:MAP[0]"]').click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await until(page, /Restart 1 is granted/);
}

/** A barrier that overtakes what is queued: as soon as some of it is stored. */
async function unaligned(page) {
  await scenario(page, /Unaligned: barriers/);
  await press(page, "n");
  await until(page, /overtakes|are stored|goes into/);
  await press(page, ".");
  await press(page, ".");
}

/** The aligned timeout has just passed. */
async function timedOut(page) {
  await scenario(page, /Aligned with a timeout/);
  await until(page, /not aligned|turns|switches/);
}

/** The example in three modes, each run at its second checkpoint, or all in the middle of one. */
async function compare(page, { by = "time" } = {}) {
  await idle(page);
  await settled(page);
  await page.keyboard.press("Shift+M");
  await page.getByRole("combobox", { name: "What is compared" }).selectOption("example");
  await page.getByText("DUPLICATE").waitFor();
  await page.keyboard.press("n");
  if (by === "checkpoint") await page.keyboard.press("n");
  else for (let i = 0; i < 260; i++) await page.keyboard.press(".");
}

/** The dry run before a vertex is rescaled. */
async function rescale(page) {
  await idle(page);
  await settled(page);
  await press(page, "n");
  await until(page, /^Checkpoint 1 is complete/);
  await page.locator('[data-element="subtask:total[0]"]').click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Rescale total to 3/ }).click();
  await page.getByRole("dialog").waitFor();
}

/** Each piece of state has come to its new subtask. */
async function rescaled(page) {
  await rescale(page);
  await page.getByRole("button", { name: "Stop and rescale" }).click();
  await idle(page);
  await until(page, /^total\[2\] is given/);
}

/** A savepoint is taken and the job cancelled; what lies in storage then. */
async function shelf(page) {
  await idle(page);
  await settled(page);
  await press(page, "n");
  for (const [item, then] of [
    [/^Take a savepoint/, /^Savepoint 2 is complete/],
    [/^Cancel the job/, /^The job is cancelled/],
  ]) {
    await page.keyboard.press("s");
    await page.getByRole("menuitem", { name: item }).click();
    await until(page, then);
  }
  await page.getByRole("slider", { name: "Position in the run" }).press("End");
  await idle(page);
  await panel(page, "Checkpoints");
  await page.getByRole("tab", { name: "Shelf" }).click();
}

/** The dry run of a job whose operator has lost its uid. */
async function refused(page) {
  await shelf(page);
  await page.getByRole("button", { name: /^Start from savepoint 2/ }).click();
  await page.getByLabel("uid of Total per key").fill("sum");
  await page.getByText("Flink refuses").waitFor();
}

/** A scenario of one's own, by way of the editor. */
async function own(page, document) {
  await idle(page);
  await settled(page);
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  await page.getByRole("textbox", { name: "Scenario as JSON" }).fill(JSON.stringify(document));
  await page.getByRole("button", { name: "Run this scenario" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await idle(page);
}

/** The first visit's job, at each moment of its life. */
const orders = {
  rest: (page) => scenario(page, /Orders counted/),
  async alignment(page) {
    await orders.rest(page);
    await until(page, /stops reading/);
  },
  async failure(page) {
    await orders.rest(page);
    await press(page, "n");
    await page.locator('[data-element="subtask:count[0]"]').click({ position: { x: 24, y: 14 } });
    await page.keyboard.press("F");
    await page.getByRole("menuitem", { name: /^Throw exception The task/ }).click();
    await idle(page);
    await until(page, /Restart 1 is granted/);
  },
  async recovery(page) {
    await orders.failure(page);
    await until(page, /again \(pass 2\)/);
  },
  async commit(page) {
    await orders.rest(page);
    await until(page, / is committed: /);
  },
};

/** Kafka's brokers allow no more by default than a quarter of Flink's own hour. */
const exactlyOnce = { delivery: "exactly-once", properties: { "transaction.timeout.ms": "15 min" } };

/** A keyed job as broad as one says, in the middle of its first checkpoint. */
async function broad(page, parallelism) {
  await own(page, {
    format: 1,
    title: { en: `Parallelism ${parallelism}` },
    job: {
      maxParallelism: 128,
      vertices: [
        { uid: "in", name: "Source: in", type: "kafka-source", topic: "in", parallelism },
        { uid: "sum", name: "Sum", type: "keyed-sum", parallelism },
        { uid: "out", name: "Sink: out", type: "kafka-sink", topic: "out", parallelism, ...exactlyOnce },
      ],
      edges: [
        { from: "in", to: "sum", ship: "hash" },
        { from: "sum", to: "out", ship: "rebalance" },
      ],
    },
    cluster: { taskManagers: Math.max(2, parallelism / 8), slots: 8 },
    topics: {
      in: { partitions: parallelism, records: parallelism * 4, every: "100 ms", keys: 64 },
      out: { partitions: 2 },
    },
    config: { "execution.checkpointing.interval": "300 ms" },
    until: { time: "700 ms" },
  });
  await until(page, /checkpoint 1/i, ">");
  await press(page, ">");
}

/** Twenty vertices: four lines of five that cross. */
async function twenty(page) {
  const lines = [0, 1, 2, 3];
  const uid = (line, stage) => `${["in", "clean", "join", "sum", "out"][stage]}${line}`;
  await own(page, {
    format: 1,
    title: { en: "Four lines of five" },
    job: {
      vertices: lines.flatMap((line) => [
        { uid: uid(line, 0), type: "kafka-source", topic: `in${line}`, parallelism: 2 },
        { uid: uid(line, 1), type: "map", parallelism: 2, chain: false },
        { uid: uid(line, 2), type: "union", parallelism: 2, chain: false },
        { uid: uid(line, 3), type: "keyed-sum", parallelism: 2, chain: false },
        { uid: uid(line, 4), type: "kafka-sink", topic: `out${line}`, parallelism: 2, chain: false, ...exactlyOnce },
      ]),
      edges: lines.flatMap((line) => [
        ...[0, 1, 2, 3].map((stage) => ({
          from: uid(line, stage),
          to: uid(line, stage + 1),
          ship: stage === 2 ? "hash" : stage === 1 ? "rebalance" : "forward",
        })),
        { from: uid(line, 1), to: uid((line + 1) % 4, 2), ship: "rebalance" },
      ]),
    },
    cluster: { taskManagers: 2, slots: 1 },
    topics: Object.fromEntries(
      lines.flatMap((line) => [
        [`in${line}`, { partitions: 2, records: 16, every: "100 ms", keys: 4 }],
        [`out${line}`, { partitions: 2 }],
      ]),
    ),
    config: { "execution.checkpointing.interval": "300 ms" },
    until: { time: "900 ms" },
  });
  await until(page, /checkpoint 1/i, ">");
  await press(page, ">");
}

const phone = { width: 390, height: 844 };

/** Each in light, dark and on a phone. */
const everywhere = (name, before) => [
  { name, at: "", before },
  { name: `${name}-dark`, at: "", scheme: "dark", before },
  { name: `${name}-phone`, at: "", viewport: phone, before },
];

/** @type {Shot[]} */
const shots = [
  ...Object.entries(orders).flatMap(([moment, before]) => everywhere(`orders-${moment}`, before)),
  ...[2, 16, 128].flatMap((parallelism) => everywhere(`broad-${parallelism}`, (page) => broad(page, parallelism))),
  ...everywhere("twenty", twenty),
  { name: "start", at: "", before: alignment },
  { name: "start-dark", at: "", scheme: "dark", before: alignment },
  { name: "failure", at: "", before: failure },
  { name: "recovery-dark", at: "", scheme: "dark", before: recovery },
  { name: "failover", at: "", before: failover },
  { name: "failover-dark", at: "", scheme: "dark", before: failover },
  { name: "failover-phone", at: "", viewport: phone, before: failover },
  { name: "failover-phone-dark", at: "", viewport: phone, scheme: "dark", before: failover },
  { name: "ledger", at: "", before: ledger },
  { name: "phone", at: "", viewport: phone, before: alignment },
  { name: "phone-dark", at: "", viewport: phone, scheme: "dark", before: failure },
  { name: "checkpoint-timeline", at: "", before: checkpointTimeline },
  { name: "checkpoint-timeline-dark", at: "", scheme: "dark", before: checkpointTimeline },
  { name: "checkpoint-timeline-phone", at: "", viewport: phone, before: checkpointTimeline },
  { name: "checkpoint-history", at: "", before: (page) => checkpoints(page, "History") },
  { name: "checkpoint-summary", at: "", before: (page) => checkpoints(page, "Summary") },
  { name: "unaligned", at: "", before: unaligned },
  { name: "unaligned-dark", at: "", scheme: "dark", before: unaligned },
  { name: "unaligned-phone", at: "", viewport: phone, before: unaligned },
  { name: "timed-out", at: "", before: timedOut },
  { name: "compare", at: "", before: compare },
  { name: "compare-checkpoint", at: "", before: (page) => compare(page, { by: "checkpoint" }) },
  { name: "compare-dark", at: "", scheme: "dark", before: compare },
  { name: "compare-phone", at: "", viewport: phone, before: compare },
  { name: "rescale", at: "", before: rescale },
  { name: "rescale-dark", at: "", scheme: "dark", before: rescale },
  { name: "rescale-phone", at: "", viewport: phone, before: rescale },
  { name: "rescaled", at: "", before: rescaled },
  { name: "rescaled-dark", at: "", scheme: "dark", before: rescaled },
  { name: "rescaled-phone", at: "", viewport: phone, before: rescaled },
  { name: "shelf", at: "", before: shelf },
  { name: "shelf-phone", at: "", viewport: phone, before: shelf },
  { name: "restore-refused", at: "", before: refused },
  { name: "restore-refused-phone-dark", at: "", viewport: phone, scheme: "dark", before: refused },
  { name: "sweep", at: "", before: sweepOpened },
  { name: "sweep-running", at: "", before: sweepRunning },
  { name: "sweep-clean", at: "", before: sweepClean },
  { name: "sweep-dark", at: "", scheme: "dark", before: sweepHarmful },
  { name: "sweep-phone", at: "", viewport: phone, before: sweepHarmful },
  { name: "sweep-phone-dark", at: "", viewport: phone, scheme: "dark", before: sweepClean },
];

async function take(browser, address, shot) {
  const context = await browser.newContext({
    viewport: shot.viewport ?? { width: 1440, height: 900 },
    colorScheme: shot.scheme ?? "light",
    locale: shot.locale ?? "en-US",
    reducedMotion: "reduce",
  });
  // Nobody's first visit: that would begin by itself.
  await context.addInitScript(() => {
    if (localStorage.length === 0) localStorage.setItem("barrierscope.settings", JSON.stringify({ visited: true }));
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`${shot.name}: the page threw: ${error.message}`));
  await page.goto(new URL(shot.at, address).href, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await shot.before?.(page);
  await page.screenshot({ path: path.join(folder, `${shot.name}.png`), animations: "disabled" });
  await context.close();
  console.log(`docs/screens/${shot.name}.png`);
}

const asked = process.argv.slice(2);
const chosen = asked.length === 0 ? shots : shots.filter((shot) => asked.includes(shot.name));
const unknown = asked.filter((name) => !shots.some((shot) => shot.name === name));
if (unknown.length > 0) throw new Error(`no such shot: ${unknown.join(", ")}`);

mkdirSync(folder, { recursive: true });
const server = await preview({ root, logLevel: "warn", preview: { host: "127.0.0.1", port: 4280, open: false } });
const browser = await chromium.launch(browserOrThrow());
try {
  for (const shot of chosen)
    await take(browser, server.resolvedUrls.local[0], shot).catch((error) => {
      // The others are taken all the same.
      console.error(`${shot.name}: ${error.message}`);
      process.exitCode = 1;
    });
} finally {
  await browser.close();
  await server.close();
}
