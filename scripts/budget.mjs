// How much JavaScript the built page loads, gzip, against its budget. The critical route is what must be there before
// the first picture; everything of a first load is what a browser fetches when the page is opened and nobody touches
// anything, measured in one. Panels and dialogs that wait for a click are in the third figure, which has no budget.
//
// How the route is told: it begins with the scripts of index.html, its modulepreload links among them, and goes on to what
// a script of the route imports statically and to the workers that it starts; a worker's own static imports are needed
// as well. `import(…)` ends the route: what is only behind one counts as "later", and so does a worker that only such a
// script starts, say one of a pool that a click makes. A worker that a script of the route names counts, whenever it is
// started: to be later, its `new Worker(new URL(…, import.meta.url))` must be in a module that is imported dynamically.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { browserOrThrow } from "./browser.mjs";

const dist = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const budgets = { "critical route": { floor: 170, aim: 110 }, "everything of a first load": { floor: 450, aim: 260 } };

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
/** Milliseconds that a first visit is watched while the example plays: what is fetched ahead belongs to it. */
const VISIT = 5000;

const assets = path.join(dist, "assets");
const scripts = new Map(
  readdirSync(assets)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(path.join(assets, name), "utf8")]),
);
const kilobytes = (names) => [...names].reduce((sum, name) => sum + gzipSync(scripts.get(name)).length / 1000, 0);

function criticalRoute() {
  const html = readFileSync(path.join(dist, "index.html"), "utf8");
  const critical = new Set();
  const queue = [...html.matchAll(/(?:src|href)="[^"]*?([^"/]+\.js)"/g)].map(([, name]) => name);
  const imported = /\b(?:import|from)\s*["'`]\.\/([^"'`]+\.js)["'`]/g;
  const started = /new (?:Shared)?Worker\(\s*new URL\(\s*[^,]*?([\w.-]+\.js)["'`]/g;
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (critical.has(name) || !scripts.has(name)) continue;
    critical.add(name);
    const script = scripts.get(name);
    const workers = [...script.matchAll(started)];
    // A worker whose file cannot be read off would be left out unseen.
    if (workers.length !== [...script.matchAll(/new (?:Shared)?Worker\b/g)].length)
      throw new Error(`${name} starts a worker whose file this script does not see`);
    for (const [, other] of [...script.matchAll(imported), ...workers]) queue.push(other);
  }
  if (critical.size === 0) throw new Error("dist/index.html loads no script: run `npm run build`");
  return critical;
}

const critical = criticalRoute();
for (const name of [...scripts.keys()].sort())
  console.log(
    `${kilobytes([name]).toFixed(1).padStart(8)} kB  ${critical.has(name) ? "critical" : "later   "}  ${name}`,
  );

/** Names of the scripts that a first visit fetches by itself: the example plays, nobody touches anything. */
async function firstLoad() {
  const served = new Set();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = path.join(dist, path.normalize(pathname === "/" ? "index.html" : pathname));
    if (!file.startsWith(dist) || !existsSync(file)) return response.writeHead(404).end();
    if (scripts.has(path.basename(file))) served.add(path.basename(file));
    response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    return response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch(browserOrThrow());
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.getByTestId("sentence").waitFor();
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(VISIT);
  } finally {
    await browser.close();
    server.close();
  }
  return served;
}

let failed = false;
for (const [what, names] of [
  ["critical route", critical],
  ["everything of a first load", await firstLoad()],
]) {
  const size = kilobytes(names);
  const { floor, aim } = budgets[what];
  const verdict = size > floor ? "OVER" : size > aim ? "within the floor, over the aim" : "within the aim";
  console.log(`${size.toFixed(1).padStart(8)} kB  ${what}: ${verdict} (floor ${floor}, aim ${aim})`);
  failed ||= size > floor;
}
console.log(
  `${kilobytes(scripts.keys()).toFixed(1).padStart(8)} kB  all that the build made, panels and dialogs with it`,
);
if (failed) process.exitCode = 1;
