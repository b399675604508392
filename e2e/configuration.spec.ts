/** The configuration drawer: Flink's keys with help and rules in place, and a new run of what was changed. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const INTERVAL = "execution.checkpointing.interval";

const drawer = (page: Page) => page.getByRole("dialog", { name: "Configuration" });
const row = (page: Page, key: string) => page.locator(`[data-key="${key}"]`);

const control = (page: Page, key: string) =>
  row(page, key).getByRole("textbox").or(row(page, key).getByRole("combobox"));

async function openDrawer(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await page.keyboard.press("j");
  await expect(drawer(page)).toBeVisible();
  return app;
}

test("a key has default and help; what Flink refuses stands at it, and nothing runs with that", async ({ page }) => {
  await openDrawer(page);
  const run = drawer(page).getByRole("button", { name: "Run again from the beginning" });
  await expect(run).toBeDisabled();
  await expect(row(page, "execution.checkpointing.timeout")).toContainText("default 10 min");
  await control(page, INTERVAL).fill("5 ms");
  await expect(row(page, INTERVAL)).toContainText(
    "Refused: Flink: Checkpoint interval must be larger than or equal to 10 ms",
  );
  await expect(control(page, INTERVAL)).toHaveAttribute("aria-invalid", "true");
  await expect(run).toBeDisabled();
  expect(await problems(page)).toEqual([]);
});

test("what is changed is counted, undone, discarded, and runs at the same moment", async ({ page }) => {
  const app = await openDrawer(page);
  await control(page, INTERVAL).fill("500 ms");
  await control(page, "execution.checkpointing.mode").selectOption("AT_LEAST_ONCE");
  await expect(drawer(page)).toContainText("2 keys changed");
  await drawer(page).getByRole("button", { name: "Undo" }).click();
  await expect(drawer(page)).toContainText("1 key changed");
  await drawer(page).getByRole("button", { name: "Discard" }).click();
  await expect(drawer(page)).toContainText("Nothing is changed");
  await expect(control(page, INTERVAL)).toHaveValue("1 s");
  await control(page, INTERVAL).fill("500 ms");
  await drawer(page).getByRole("button", { name: "Run again from the beginning" }).click();
  await expect(drawer(page)).toBeHidden();
  await app.idle();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.press("n");
  await app.press("n");
  await expect(app.sentence).toContainText("Checkpoint 2 is complete");
  expect(Number.parseFloat(await page.locator(".position").innerText())).toBeLessThan(1.6);
});

test("a note says what Flink accepts against its documentation; an old name finds the key", async ({ page }) => {
  await openDrawer(page);
  await control(page, "execution.checkpointing.max-concurrent-checkpoints").fill("2");
  await control(page, "execution.checkpointing.min-pause").fill("100 ms");
  await expect(row(page, "execution.checkpointing.min-pause")).toContainText("Note: Flink's documentation excludes");
  await page.getByRole("searchbox", { name: "Search keys" }).fill("state.checkpoints.num-retained");
  await expect(page.locator("[data-key]")).toHaveCount(1);
  await expect(page.locator("[data-key]")).toContainText("before: state.checkpoints.num-retained");
});

test("the same as YAML: both ways, with the line of a mistake; and what is in force", async ({ page }) => {
  await openDrawer(page);
  await page.getByRole("tab", { name: "config.yaml" }).click();
  const area = page.getByRole("textbox", { name: "Configuration as YAML" });
  await expect(area).toHaveValue(new RegExp(`${INTERVAL}: 1 s`));
  await area.fill("execution:\n  checkpointing:\n    interval: 700 ms\n");
  await page.getByRole("tab", { name: "Form" }).click();
  await expect(control(page, INTERVAL)).toHaveValue("700 ms");
  await page.getByRole("tab", { name: "config.yaml" }).click();
  await area.fill("a: [1\n");
  await expect(drawer(page)).toContainText(/1 mistake.*line \d/);
  expect(await problems(page)).toEqual([]);
  await page.getByRole("tab", { name: "Effective" }).click();
  await expect(page.getByRole("row", { name: new RegExp(INTERVAL.replaceAll(".", "\\.")) }).first()).toContainText(
    "job",
  );
  await expect(page.getByRole("row", { name: /checkpointing\.timeout/ })).toContainText("default");
});

test("a job that is over starts from its latest snapshot with other values, in a branch", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await page.keyboard.press("s");
  await page.getByRole("menuitem", { name: /^Take a savepoint/ }).click();
  await app.stepUntil(/^Savepoint 2 is complete/);
  await page.keyboard.press("s");
  await page.getByRole("menuitem", { name: /^Cancel the job/ }).click();
  await app.toEnd();
  await page.keyboard.press("j");
  await control(page, INTERVAL).fill("300 ms");
  await drawer(page).getByRole("button", { name: "Fork and apply" }).click();
  await app.idle();
  await expect(app.sentence).toContainText(/submitted/i);
  await expect(page.getByRole("navigation", { name: "Branches" }).getByRole("button")).not.toHaveCount(0);
});

test("a job that runs is stopped here and starts again from its savepoint with the new values, in a branch", async ({
  page,
}) => {
  const app = await openDrawer(page);
  const fork = drawer(page).getByRole("button", { name: "Fork and apply" });
  await expect(fork).toBeDisabled();
  await control(page, INTERVAL).fill("300 ms");
  await expect(drawer(page)).toContainText("1 key changed · applies at the next job start");
  await expect(
    drawer(page).getByRole("option", { name: /^cancel, start from the latest checkpoint \(/ }),
  ).toBeDisabled();
  expect(await problems(page)).toEqual([]);
  await fork.focus();
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(page.getByRole("navigation", { name: "Branches" })).toContainText(/submit anew/);
  await app.stepUntil(/submitted/i);
  await app.press("j");
  await expect(page.getByRole("dialog", { name: "Configuration" })).toBeVisible();
});

test("a rule stands at its key, and its button mends it, by key; what the lab uses, and where it shows", async ({
  page,
}) => {
  await openDrawer(page);
  await control(page, "execution.checkpointing.unaligned.enabled").selectOption("true");
  await control(page, "execution.checkpointing.mode").selectOption("AT_LEAST_ONCE");
  const at = row(page, "execution.checkpointing.unaligned.enabled");
  await expect(at).toContainText("R-01 Unaligned checkpoints need EXACTLY_ONCE, so they stay off.");
  expect(await problems(page)).toEqual([]);
  await at.getByRole("button", { name: "Switch mode" }).focus();
  await page.keyboard.press("Enter");
  await expect(at).not.toContainText("R-01");
  await expect(control(page, "execution.checkpointing.mode")).toHaveValue("");
  await control(page, "execution.checkpointing.max-concurrent-checkpoints").fill("2");
  await row(page, "execution.checkpointing.max-concurrent-checkpoints")
    .getByRole("button", { name: "Set max-concurrent to 1" })
    .click();
  await expect(drawer(page)).not.toContainText("R-02");
  await row(page, INTERVAL)
    .getByRole("button", { name: `Set ${INTERVAL} to the lab's 2 s` })
    .click();
  await expect(control(page, INTERVAL)).toHaveValue("2 s");
  await row(page, "execution.checkpointing.dir")
    .getByRole("button", { name: /^Show where/ })
    .click();
  await expect(page.locator('[data-element="storage"]')).toHaveAttribute("data-pulse", "");
  await expect(page.locator("[data-pulse]")).toHaveCount(0);
});

test("more subtasks than key groups, other key groups than the snapshot's, a scheduler without regions: each is told and mended", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.scenario("two-lanes");
  await app.press("n");
  await page.keyboard.press("j");
  const [groups, scheduler] = ["pipeline.max-parallelism", "jobmanager.scheduler"];
  const run = drawer(page).getByRole("button", { name: "Run again from the beginning" });
  await control(page, groups).fill("1");
  await expect(row(page, groups)).toContainText("R-14 SRC has 1 key group and cannot run 2 subtasks.");
  await expect(run).toBeDisabled();
  expect(await problems(page)).toEqual([]);
  await row(page, groups).getByRole("button", { name: "Have 2 key groups" }).click();
  await expect(row(page, groups)).not.toContainText("R-14");
  await expect(run).toBeEnabled();
  await expect(row(page, groups)).toContainText("R-15 Key groups are fixed by the snapshot (128)");
  await row(page, groups).getByRole("button", { name: "Restore with 128" }).click();
  await expect(row(page, groups)).not.toContainText("R-15");
  await expect(control(page, groups)).toHaveValue("128");

  await page.getByRole("tab", { name: "config.yaml" }).click();
  await page.getByRole("textbox", { name: "Configuration as YAML" }).fill(`${INTERVAL}: 5 s\n${scheduler}: adaptive\n`);
  await page.getByRole("tab", { name: "Form" }).click();
  await expect(row(page, scheduler)).toContainText("R-20 The adaptive scheduler restarts everything");
  await row(page, scheduler).getByRole("button", { name: "Use the default scheduler" }).click();
  await expect(row(page, scheduler)).not.toContainText("R-20");
});

test("what the job and the broker set at Kafka stands there too, with its rules", async ({ page }) => {
  await openDrawer(page);
  const timeout = "kafka:out:transaction.timeout.ms";
  await page.getByRole("searchbox", { name: "Search keys" }).fill("transaction");
  await control(page, timeout).fill("20 min");
  await expect(row(page, timeout)).toContainText("R-10 The broker allows at most 900000 ms");
  await row(page, timeout).getByRole("button", { name: "Lower the client value" }).click();
  await expect(control(page, timeout)).toHaveValue("900000 ms");
  await expect(drawer(page).getByRole("button", { name: "Fork and apply" })).toBeEnabled();
  await control(page, "broker:transaction.max.timeout.ms").fill("30 min");
  await expect(drawer(page)).toContainText("A broker's own settings stay as they are in a running job");
  await expect(drawer(page).getByRole("button", { name: "Fork and apply" })).toBeDisabled();
  await drawer(page).getByRole("button", { name: "Run again from the beginning" }).click();
  await expect(drawer(page)).toBeHidden();
});

test("the same as Java: the version's own constants, to be copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDrawer(page);
  await control(page, INTERVAL).fill("3 s");
  await page.getByRole("tab", { name: "Java" }).click();
  const area = page.getByRole("textbox", { name: "Configuration as Java" });
  await expect(area).toHaveValue(
    /conf\.set\(CheckpointingOptions\.CHECKPOINTING_INTERVAL, Duration\.ofSeconds\(3\)\);/,
  );
  await expect(area).toHaveValue(/setDeliveryGuarantee\(DeliveryGuarantee\.EXACTLY_ONCE\)/);
  await expect(area).not.toBeEditable();
  await drawer(page).getByRole("button", { name: "Copy" }).click();
  await expect(drawer(page).getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await area.inputValue());
  expect(await problems(page)).toEqual([]);
});

test.describe("in the dark, on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });

  test("the drawer takes the whole width, and axe finds nothing", async ({ page }) => {
    await openDrawer(page);
    await control(page, INTERVAL).fill("2 s");
    await expect(drawer(page)).toContainText("1 key changed");
    const box = await drawer(page).boundingBox();
    expect(box?.width).toBe(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await problems(page)).toEqual([]);
  });
});
