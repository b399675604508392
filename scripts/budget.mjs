// How much JavaScript the built page loads, gzip, against its budget. The critical route is what must be there before
// the first picture: the entry, what it imports statically, and the workers these start.
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
  const needs = [
    /\b(?:import|from)\s*["'`]\.\/([^"'`]+\.js)["'`]/g,
    /new (?:Shared)?Worker\(\s*new URL\(\s*[^,]*?([\w.-]+\.js)["'`]/g,
  ];
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (critical.has(name) || !scripts.has(name)) continue;
    critical.add(name);
    for (const need of needs) for (const [, other] of scripts.get(name).matchAll(need)) queue.push(other);
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
