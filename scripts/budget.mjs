// How much JavaScript the built page loads, gzip, against its budget. The critical route is what must be there before
// the first picture; "everything" is all that the build made.
//
// How the route is told: it begins with the scripts of index.html, its modulepreload links among them, and goes on to what
// a script of the route imports statically and to the workers that it starts; a worker's own static imports are needed
// as well. `import(…)` ends the route: what is only behind one counts as "later", and so does a worker that only such a
// script starts, say one of a pool that a click makes. A worker that a script of the route names counts, whenever it is
// started: to be later, its `new Worker(new URL(…, import.meta.url))` must be in a module that is imported dynamically.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const budgets = { "critical route": { floor: 170, aim: 110 }, everything: { floor: 450, aim: 260 } };

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

for (const [what, names] of [
  ["critical route", critical],
  ["everything", scripts.keys()],
]) {
  const size = kilobytes(names);
  const { floor, aim } = budgets[what];
  const verdict = size > floor ? "OVER" : size > aim ? "within the floor, over the aim" : "within the aim";
  console.log(`${size.toFixed(1).padStart(8)} kB  ${what}: ${verdict} (floor ${floor}, aim ${aim})`);
  if (size > floor) process.exitCode = 1;
}
