/** `npm run --silent bench [-- NAME…]`: the contract's JSON, one row a bench whose name holds one of the words given. */
import { cpus } from "node:os";
import process from "node:process";
import { projectionBenches } from "../projection/projection.bench.ts";
import { engineBenches } from "./engine.ts";
import { searchBenches } from "./explorer-search.ts";
import { sweepBenches } from "./sweep.ts";
import { measure } from "./measure.ts";

const words = process.argv.slice(2);
const rows = [];
for (const bench of [...(await engineBenches()), ...projectionBenches(), ...sweepBenches(), ...searchBenches()]) {
  if (words.length > 0 && !words.some((word) => bench.name.includes(word))) continue;
  process.stderr.write(`${bench.name} …\n`);
  rows.push(measure(bench));
}
const [cpu] = cpus();
const machine = { node: process.version, cpu: cpu?.model ?? "unknown", cores: cpus().length };
process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`);
