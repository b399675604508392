// Adds what the unit and the browser tests reported.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const cache = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", ".cache");

function read(name) {
  const file = path.join(cache, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** A test file that could not be loaded has no tests to count, and must not pass for that. */
function unit(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0 };
  const unloaded = report.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function browser(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

export function tally() {
  const parts = [unit(read("vitest.json")), browser(read("playwright.json"))];
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  return { passed, failed, skipped, line: `${passed} passed, ${failed} failed, ${skipped} skipped` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tally().line);
