import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.{test,props,model}.{ts,tsx}"],
    // Exhaustive searches are slow on a busy machine; a hang still ends.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Threads start faster than processes; two fit the smallest machine we run on.
    pool: "threads",
    maxWorkers: 2,
    reporters: ["default", "json"],
    outputFile: { json: ".cache/vitest.json" },
    coverage: { provider: "v8", include: ["src/**/*.{ts,tsx}"], reportsDirectory: "coverage" },
  },
});
