import { defineConfig } from "@playwright/test";
import { browserOrThrow } from "./scripts/browser.mjs";

const port = Number(process.env["E2E_PORT"] ?? 4179);
const address = `http://127.0.0.1:${port}`;

// The tests drive what `npm run build` made, never the dev server.
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env["CI"]),
  retries: 0,
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  snapshotPathTemplate: "e2e/shots/{arg}{ext}",
  use: {
    baseURL: address,
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: browserOrThrow(),
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --host 127.0.0.1 --port ${port} --strictPort`,
    url: address,
    reuseExistingServer: false,
    stdout: "ignore",
  },
});
