/** The same scenario gives the byte-identical report and trace at the command line (Node) and in the page's worker. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";

const scenarios = [
  ["order-totals", "Kafka to Kafka, exactly once"],
  ["linear", "One line"],
  ["shuffle", "Shuffle"],
  ["two-lanes", "Two lanes"],
] as const;

async function saved(page: Page, item: string): Promise<string> {
  await page.locator(".scenario-button").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

for (const [id, title] of scenarios) {
  test(`${id}: report and trace are the same bytes in Node and in the browser's worker`, async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await page.locator(".scenario-button").click();
    await page.getByRole("menuitem", { name: title }).click();
    await app.button("Pause").click();
    await app.idle();
    const folder = mkdtempSync(join(tmpdir(), "barrierscope-"));
    const trace = join(folder, "trace.ndjson");
    const report = execFileSync(process.execPath, ["scripts/sim.mjs", id, "--report", "--trace", trace], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await saved(page, "Save the report")).toBe(report);
    expect(await saved(page, "Save the trace")).toBe(readFileSync(trace, "utf8"));
  });
}
