// `npm run --silent bench [-- NAME…]`: bundles src/bench/main.ts and runs it. Standard output belongs to it.
import { spawnSync } from "node:child_process";
import { bundled } from "./bundle.mjs";

const file = await bundled("bench", "src/bench/main.ts");
// Benches of memory ask for a collection first, so that they measure what is kept.
const run = spawnSync(process.execPath, ["--expose-gc", "--enable-source-maps", file, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = run.status ?? 1;
