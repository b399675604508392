/** What the stage shows of failover: a lost TaskManager and its region, and the loss of the JobManager. Driven as a person does. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

type Json = { [key: string]: unknown };

async function openScenario(page: Page, name: RegExp, config: Json = {}): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name }).click();
  await expect(page.locator(".scenario-title")).toContainText(name);
  await app.button("Pause").click();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const scenario = JSON.parse(await area.inputValue()) as Json & { config: Json };
  await area.fill(JSON.stringify({ ...scenario, config: { ...scenario.config, ...config } }));
  await app.button("Run this scenario").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(app.button("Pause")).toBeVisible();
  await app.button("Pause").click();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  return app;
}

const attempt = (app: AppPage, subtask: string) => app.element(`subtask:${subtask}`).locator(".card-attempt");

test("a TaskManager is killed: its region is lit, cancelled, waits, and runs again elsewhere; the other goes on", async ({
  page,
}) => {
  const app = await openScenario(page, /lanes/i);
  const lit = page.locator(".layer-regions .region.restarts");
  const jobManager = page.locator(".element-jobManager");
  await app.press("n");
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
  await expect(page.locator(".layer-regions .region-name")).toHaveText(["region 1", "region 2"]);
  await expect(jobManager).toContainText("restarts left 3/3");
  await expect(lit).toHaveCount(0);

  const machine = app.element("taskManager:tm-1");
  await machine.click();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Kill process/ }).click();
  await app.idle();
  await expect(machine).toContainText("lost");
  await expect(machine).toHaveAttribute("aria-label", /^tm-1\. lost/);

  await app.stepUntil(/^The JobManager (learns|notices)/, ".", 200);
  await expect(lit).toHaveCount(1);
  await expect(app.element("subtask:MAP[0]")).toHaveAttribute("aria-label", /region 1\. restarts/);
  await expect(app.element("subtask:MAP[1]")).toHaveAttribute("aria-label", /RUNNING\. region 2\. (?!restarts)/);
  await app.stepUntil(/^Restart 1 is granted/, ".", 60);
  await expect(jobManager).toContainText("restarts left 2/3");
  await expect(jobManager.locator(".pip.used")).toHaveCount(1);
  await expect(page.locator(".countdown")).toContainText("restart in 10 s");
  await expect(page.locator(".layer-legend")).toContainText("restarts together");
  expect(await problems(page)).toEqual([]);

  await app.stepUntil(/^Attempt #1 takes the place of MAP\[0\]/, ".", 200);
  await expect(attempt(app, "MAP[0]")).toHaveText("#1");
  await expect(attempt(app, "MAP[1]")).toHaveCount(0);
  await app.toEnd();
  await expect(lit).toHaveCount(0);
  for (const subtask of ["SRC[0]", "MAP[0]", "SNK[0]"]) {
    await expect(attempt(app, subtask)).toHaveText("#1");
    await expect(app.element(`subtask:${subtask}`)).toHaveAttribute("aria-label", /RUNNING\. attempt 1/);
  }
  await expect(app.element("taskManager:tm-2").locator(".task-manager-slot")).toHaveCount(2);
  await expect(app.element("taskManager:tm-2").locator(".task-manager-dot")).toHaveCount(6);
  await expect(app.badge()).toContainText("OK");
});

test("the JobManager is lost between stored and notified: a standby takes over, and the commit happens in the recovery", async ({
  page,
}) => {
  const app = await openScenario(page, /lanes/i, { "high-availability.type": "zookeeper" });
  const jobManager = page.locator(".element-jobManager");
  await app.press("n");
  await app.press("n");
  await expect(app.sentence).toContainText("Checkpoint 2 is complete");
  await expect(jobManager).toHaveAttribute("aria-label", /^JobManager 1\. leader, with a standby/);
  await expect(page.locator(".layer-leader")).toContainText("standby");
  await expect(page.locator(".layer-leader")).toContainText("token …01");
  await expect(page.locator(".crown")).toHaveCount(1);
  // Stored, and nobody has been told: what the sinks pre-committed waits.
  await expect(app.element("transaction:P-0-2")).toHaveAttribute("aria-label", /PRE_COMMITTED/);
  await jobManager.click({ position: { x: 60, y: 20 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Kill the JobManager/ }).click();
  await app.idle();
  await app.stepUntil(/^The JobManager is gone/, ".", 10);
  await expect(jobManager).toHaveAttribute("aria-label", /^JobManager 1\. gone/);
  await expect(jobManager.locator(".panel.gone")).toHaveCount(1);
  await app.press(".");
  await expect(jobManager).toContainText("No JobManager: a standby takes over");
  await expect(page.locator(".crown")).toHaveCount(0);
  expect(await problems(page)).toEqual([]);

  await app.stepUntil(/^A standby JobManager takes over\. The newest checkpoint in the store is 2/, ".", 80);
  await expect(jobManager).toHaveAttribute("aria-label", /^JobManager 2\. leader/);
  await expect(page.locator(".layer-leader")).toContainText("token …02");
  const selected = page.getByRole("region", { name: "Selected" });
  await expect(selected).toContainText(`Fencing token${"0".repeat(31)}2`);
  await expect(page.locator(".layer-regions .region.restarts")).toHaveCount(2);
  await app.stepUntil(/^P-0-2 is committed: .*restor/, ".", 200);
  await expect(app.element("transaction:P-0-2")).toHaveAttribute("aria-label", /COMMITTED/);
  await app.toEnd();
  await expect(app.badge()).toContainText("OK");
  await expect(attempt(app, "MAP[1]")).toHaveText("#1");
});

test("the budget of a failure rate shrinks with each failure and recovers with time", async ({ page }) => {
  const app = await openScenario(page, /Kafka to Kafka/, {
    "restart-strategy.type": "failure-rate",
    "restart-strategy.failure-rate.max-failures-per-interval": 2,
    "restart-strategy.failure-rate.failure-rate-interval": "3 s",
    "restart-strategy.failure-rate.delay": "500 ms",
  });
  const jobManager = page.locator(".element-jobManager");
  await expect(jobManager).toContainText("failures 0/2 in 3 s");
  await app.press("n");
  await app.element("subtask:total[1]").click({ position: { x: 60, y: 40 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  await app.stepUntil(/^Restart 1 is granted/, ".", 60);
  await expect(jobManager).toContainText("failures 1/2 in 3 s");
  await expect(jobManager.locator(".pip.used")).toHaveCount(1);
  await app.toEnd();
  await expect(jobManager).toContainText("failures 0/2 in 3 s");
});
