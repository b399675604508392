// `npm test`: everything, in order, and at the end one line with the counts. A step that fails does not hide what
// the later ones would say, unless they could not run without it.
//   --long  the full counts of searches and random tests (BARRIERSCOPE_LONG=1) instead of samples
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tally } from "./tally.mjs";

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const steps = [
  { name: "setup", command: "node scripts/setup.mjs --browser", essential: true },
  { name: "check", command: "npm run -s check" },
  { name: "unit", command: "npm run -s unit" },
  { name: "build", command: "npm run -s build", essential: true },
  { name: "e2e", command: "npm run -s e2e" },
  { name: "budget", command: "npm run -s budget" },
];

const env = { ...process.env };
if (process.argv.includes("--long")) env.BARRIERSCOPE_LONG = "1";

for (const report of [".cache/vitest.json", ".cache/playwright.json"]) rmSync(report, { force: true });

const failed = [];
for (const { name, command, essential } of steps) {
  const began = Date.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, { shell: true, stdio: ["ignore", "inherit", "inherit"], env });
  console.log(`== ${name}: ${status === 0 ? "ok" : "FAILED"} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (status !== 0) failed.push(name);
  if (status !== 0 && essential) break;
}

console.log("");
if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
const counts = tally();
console.log(counts.line);
process.exitCode = failed.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
