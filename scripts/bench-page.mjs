// `npm run --silent bench:page [-- RECORDS]`: a run of a million entries in the built page in Chromium, as a person has it:
// from the input to the painted frame. Prints JSON, with the floors of the design beside. Build first.
import os from "node:os";
import process from "node:process";
import { chromium } from "@playwright/test";
import { preview } from "vite";
import { browserOrThrow } from "./browser.mjs";
import { longRun } from "./long-run.mjs";

/** Nine entries a record: a few more than a million. */
const RECORDS = Number(process.argv[2] ?? 110_000);
const SEEKS = 200;

const server = await preview({ preview: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
const browser = await chromium.launch(browserOrThrow());

/** In the page: what acts and how long it takes, in milliseconds. */
function inPage() {
  /** The next picture is on the screen. */
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    });
  const until = async (holds) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 4));
    return performance.now();
  };
  /** From the input to the picture, and what of it the main thread works: not waiting for the display. */
  const acted = async (act) => {
    await painted();
    const began = performance.now();
    act();
    await null;
    const handled = performance.now() - began;
    const frame = await new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())));
    const { port1, port2 } = new MessageChannel();
    const seen = await new Promise((resolve) => {
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    });
    return { seen: seen - began, work: handled + (seen - frame) };
  };
  const set = (node, value) => {
    const prototype = node instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, "value").set.call(node, value);
    node.dispatchEvent(new Event(node instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  };
  window.bench = { painted, until, acted, set, long: [] };
  new PerformanceObserver((list) =>
    window.bench.long.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({ type: "longtask" });
}

/** In the page: to places all over the run, one at a time or, as in a drag, without waiting for the panels; or back by a step there. */
async function seekOften({ count, how }) {
  const { acted, set, until } = window.bench;
  const slider = document.querySelector(".scrubber input");
  const idle = () => document.documentElement.dataset.idle === "true";
  const times = [];
  for (let i = 0, drawn = 1; i < count; i++) {
    drawn = (drawn * 48_271) % 2_147_483_647;
    const seek = () => set(slider, String((drawn / 2_147_483_647) * Number(slider.max)));
    const key = { key: ",", code: "Comma", bubbles: true, cancelable: true };
    const back = () => document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    if (how === "back") seek();
    if (how !== "drag") await until(idle);
    const began = performance.now();
    const time = await acted(how === "back" ? back : seek);
    if (how !== "drag") await until(idle);
    times.push({ ...time, rest: performance.now() - began });
  }
  return times;
}

const share = (times, part) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
const rounded = (value) => Number(value.toPrecision(4));
const rows = [];
function row(name, value, unit, floor = null, aim = null) {
  rows.push({ name, value: rounded(value), unit, floor, aim, met: floor === null || value <= floor });
}
function shares(name, times, floor, aim) {
  row(`${name}, p50`, share(times, 0.5), "ms");
  row(`${name}, p95`, share(times, 0.95), "ms", floor, aim);
  row(`${name}, p99`, share(times, 0.99), "ms");
}

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(600_000);
  page.on("pageerror", (error) => process.stderr.write(`${error.message}\n`));
  await page.addInitScript(() =>
    localStorage.setItem("barrierscope.settings", JSON.stringify({ visited: true, hintSeen: true, dock: "events" })),
  );
  await page.addInitScript(inPage);
  await page.goto(server.resolvedUrls.local[0]);
  await page.waitForSelector("html[data-idle=true]");
  const opening = page.evaluate(async () => {
    const { until, painted } = window.bench;
    const began = await new Promise((resolve) =>
      document.addEventListener("change", () => resolve(performance.now()), { capture: true, once: true }),
    );
    await until(() => document.querySelector(".job-chip")?.textContent.includes("long-run"));
    const first = (await painted()) - began;
    await until(() => document.documentElement.dataset.idle === "true");
    return { first, complete: performance.now() - began };
  });
  await page.getByTestId("file").setInputFiles({
    name: "long-run.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(longRun(RECORDS))),
  });
  const { first, complete } = await opening;
  row("first picture", first, "ms", 1000, 300);
  row("complete, with its verdict", complete, "ms");
  const longest = await page.evaluate(() => Math.max(0, ...window.bench.long.splice(0)));
  row("longest task meanwhile", longest, "ms");
  // Keyframes are folded in idle moments.
  await page.waitForTimeout(4000);
  const entries = await page.evaluate(
    () => Number(/[\d,]+$/.exec(document.querySelector(".position-step").textContent)[0].replaceAll(",", "")) + 1,
  );

  const tab = (name) => page.getByRole("tab", { name, exact: true }).click();
  for (const [name, how, panel] of [
    ["seek", "seek", "Event log"],
    ["step back", "back", "Event log"],
    ["drag", "drag", "Event log"],
    ["drag with the timeline", "drag", "Timeline"],
  ]) {
    await tab(panel);
    await page.waitForTimeout(1000);
    const times = await page.evaluate(seekOften, { count: SEEKS, how });
    shares(
      `${name}, input to picture`,
      times.map(({ seen }) => seen),
    );
    shares(
      `${name}, main thread`,
      times.map(({ work }) => work),
      16,
      2,
    );
    if (how !== "drag")
      shares(
        `${name}, input to the last panel`,
        times.map(({ rest }) => rest),
      );
  }
  await tab("Event log");

  const filters = await page.evaluate(async () => {
    const { acted, set, until, long } = window.bench;
    const told = () => document.querySelector(".events-found").textContent;
    await until(() => document.querySelector(".events-found") !== null && !told().startsWith("searching"));
    const clear = () =>
      [...document.querySelectorAll(".events button")].find((node) => /clear|all/i.test(node.textContent));
    const result = { kind: [], first: [], longest: 0, found: [] };
    const kind = [...document.querySelectorAll(".events select")][0];
    long.length = 0;
    for (let round = 0; round < 5; round++) {
      const option = kind.options[1 + round].value;
      const before = told();
      const began = performance.now();
      const { seen } = await acted(() => set(kind, option));
      result.first.push(seen);
      await until(() => told() !== before && !told().startsWith("searching"));
      result.kind.push(performance.now() - began);
      result.found.push(told());
      for (const chip of document.querySelectorAll(".events .chip button, .filter-chips button")) chip.click();
      clear()?.click();
      await until(() => !told().startsWith("searching"));
    }
    const words = document.querySelector(".events input[type=search]");
    const before = told();
    const began = performance.now();
    const { seen } = await acted(() => set(words, "chk-7"));
    result.first.push(seen);
    await until(() => told() !== before && !told().startsWith("searching"));
    result.words = performance.now() - began;
    result.found.push(told());
    result.longest = Math.max(0, ...long.splice(0));
    return result;
  });
  shares("filter by kind, to the first picture", filters.first);
  shares("filter by kind, to its end", filters.kind);
  row("filter by words, to its end", filters.words, "ms");
  row("filter, longest task", filters.longest, "ms");

  const devtools = await page.context().newCDPSession(page);
  /** What is held, and not what a collection that has not come yet would free: that differs by 20 MB from run to run. */
  const held = async () => {
    await page.waitForTimeout(1000);
    await devtools.send("HeapProfiler.collectGarbage");
    return page.evaluate(async () => {
      const { bytes, breakdown } = await performance.measureUserAgentSpecificMemory();
      const of = (name) =>
        breakdown.reduce((sum, part) => sum + (part.attribution[0]?.scope === name ? part.bytes : 0), 0);
      return { bytes, page: of("Window"), worker: of("DedicatedWorkerGlobalScope") };
    });
  };
  const memory = await held();
  row("memory, all in", memory.bytes / 1e6, "MB", 150, 40);
  row("memory, the page", memory.page / 1e6, "MB");
  row("memory, its workers", memory.worker / 1e6, "MB");
  await tab("Space–time");
  await page.waitForSelector("html[data-idle=true]");
  row("memory, with the space–time picture", (await held()).bytes / 1e6, "MB", 150, 40);
  const [cpu] = os.cpus();
  const machine = {
    browser: browser.version(),
    cpu: cpu?.model ?? "unknown",
    cores: os.cpus().length,
    load: rounded(os.loadavg()[0]),
  };
  process.stdout.write(`${JSON.stringify({ machine, entries, filtered: filters.found, rows }, null, 2)}\n`);
} finally {
  await browser.close();
  await server.close();
}
