// `npm run --silent bench:stage`: the stage in Chromium beside React Flow and cytoscape.js; prints JSON.
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { build, preview } from "vite";
import { browserOrThrow } from "./browser.mjs";

const root = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "src", "view", "stage");
const outDir = path.join(root, "..", "..", "..", ".cache", "bench-stage");
const options = { root, base: "./", configFile: false, logLevel: "error" };
const input = path.join(root, "stage.bench.html");
await build({ ...options, build: { target: "es2023", outDir, emptyOutDir: true, rolldownOptions: { input } } });
const server = await preview({ ...options, build: { outDir }, preview: { host: "127.0.0.1", port: 0 } });
const browser = await chromium.launch(browserOrThrow());
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.on("pageerror", (error) => process.stderr.write(`${error.message}\n`));
  await page.goto(new URL("stage.bench.html", server.resolvedUrls.local[0]).href);
  page.setDefaultTimeout(600_000);
  const results = await page.evaluate(() => window.results);
  const [cpu] = os.cpus();
  const machine = {
    browser: browser.version(),
    cpu: cpu?.model ?? "unknown",
    cores: os.cpus().length,
    load: os.loadavg()[0],
  };
  process.stdout.write(`${JSON.stringify({ machine, ...results }, null, 2)}\n`);
} finally {
  await browser.close();
  await server.close();
}
