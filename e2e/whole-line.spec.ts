import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

async function chooseFault(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("menuitem", { name }).click();
}

/** Reads the ids in the ledger's list of duplicated records, as committed readers see them. */
async function duplicatedIds(page: Page): Promise<string[]> {
  const ids = page.getByTestId("duplicated-read_committed").locator("[data-record]");
  await expect(ids.first()).toBeVisible();
  return ids.allInnerTexts();
}

test("step to a barrier, break a task, watch it recover, and read that the result is exactly once", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("Home");

  // Step to the first barrier, and back.
  await app.stepUntil(/puts barrier 1 into/);
  const barrier = await app.event();
  await app.press(",");
  expect(await app.event()).toBe(barrier - 1);
  await app.press(".");
  expect(await app.event()).toBe(barrier);

  // Play to the second checkpoint.
  await app.tab("Checkpoints");
  await app.speed("8×");
  await app.button("Play").click();
  await expect(page.locator('tr[data-checkpoint="2"]')).toContainText("COMPLETED");
  await app.button("Pause").click();
  await app.idle();

  // Fail a task by mouse.
  await app.element("subtask:total[1]").click();
  await app.stage.getByRole("button", { name: /^Fail/ }).click();
  await chooseFault(page, /Throw exception/);
  await app.idle();
  await expect(app.sentence).toContainText("total[1] throws an exception");
  await expect(app.branch(/^fail total\[1\] at/)).toHaveAttribute("aria-pressed", "true");

  // Watch the restart.
  await app.stepUntil(/Restart 1 is granted/);
  await expect(page.locator(".job-chip")).toContainText("RESTARTING");
  await app.stepUntil(/gets back the state that checkpoint \d holds/);
  await app.stepUntil(/is running/);
  await expect(page.locator(".job-chip")).toContainText("RUNNING");

  // Read the ledger's verdict.
  await app.toEnd();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
  await app.badge().click();
  await expect(page.getByTestId("verdict")).toContainText("end to end exactly-once");
  await expect(page.getByTestId("total-lost")).toHaveText("0");
  await expect(page.getByTestId("total-duplicated")).toHaveText("0");

  // Back to before the failure, and fail another one, by keyboard alone.
  await app.press("u");
  await expect(app.branch("as the scenario says")).toHaveAttribute("aria-pressed", "true");
  await app.element("subtask:orders[0]").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("F");
  await expect(page.getByRole("menu")).toContainText("orders[1]");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(app.sentence).toContainText("Fault: orders[1]");

  // Switch between the branches.
  await app.press("Alt+2");
  await expect(app.branch(/^fail total\[1\] at/)).toHaveAttribute("aria-pressed", "true");
  await app.branch(/orders\[1\]/).click();
  await app.idle();
  await expect(app.sentence).toContainText("Fault: orders[1]");
});

test("with the sink at-least-once the same failure doubles records, and the ledger names them", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption("at-least-once");
  await app.idle();
  await app.press("Home");
  await app.press("n");
  await app.press("n");
  await app.stepUntil(/out\[0\] writes/, ".", 400);
  await app.element("subtask:total[1]").click();
  await page.keyboard.press("F");
  await chooseFault(page, /Throw exception/);
  await app.idle();
  await app.toEnd();
  await expect(app.badge()).toHaveAttribute("data-outcome", "DUPLICATE");
  await app.badge().click();
  const ids = await duplicatedIds(page);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(id).toMatch(/^orders-\d@\d+$/);
  await expect(page.getByTestId("total-lost")).toHaveText("0");
});
