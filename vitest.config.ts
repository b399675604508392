import { defineConfig } from "vitest/config";

/** Exhaustive searches are slow on a busy machine, full counts anywhere; a hang still ends. */
const patience = process.env["BARRIERSCOPE_LONG"] === "1" ? 4 * 3_600_000 : 300_000;

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.{test,props,model}.{ts,tsx}", "conformance/*.test.ts"],
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: 60_000 } },
    // Threads start faster than processes; two fit the smallest machine we run on.
    pool: "threads",
    maxWorkers: 2,
    reporters: ["default", "json"],
    outputFile: { json: ".cache/vitest.json" },
    coverage: { provider: "v8", include: ["src/**/*.{ts,tsx}"], reportsDirectory: "coverage" },
  },
});
