/** Jobs that are submitted anew: rescaled through a savepoint, and started again from one. Driven as a person does. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const dialog = (page: Page): Locator => page.getByRole("dialog");
const row = (page: Page, table: string, name: string): Locator =>
  dialog(page)
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ has: page.getByText(name, { exact: true }) });

/** What a table of the dialog says, line by line. */
async function lines(page: Page, table: string): Promise<string[]> {
  const rows = dialog(page).getByRole("table", { name: table }).locator("tbody tr");
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
}

/** A savepoint behind checkpoint 1, and the end of the job. */
async function savedAndCancelled(app: AppPage): Promise<void> {
  const { page } = app;
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Take a savepoint/ }).click();
  await app.idle();
  await app.stepUntil(/^Savepoint 2 is complete/);
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Cancel the job/ }).click();
  await app.idle();
  await app.toEnd();
}

async function shelf(app: AppPage): Promise<Locator> {
  await app.tab("Checkpoints");
  await app.tab("Shelf");
  return app.page.getByRole("table", { name: /^Snapshots in storage/ });
}

test("a vertex is rescaled from 2 to 3: a dry run first, then a savepoint and a job with three subtasks, exactly once", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await app.element("subtask:total[0]").click();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /^Rescale total to 3/ }).click();
  await expect(dialog(page)).toContainText("The job starts, and all state finds its operator.");
  await expect(dialog(page)).toContainText("63 of 128 key groups change their subtask.");
  await expect(dialog(page)).toContainText("total[1] key groups 43–63 from [0], key groups 64–85 from [1]");
  expect(await problems(page)).toEqual([]);
  await page.getByRole("button", { name: "Stop and rescale" }).click();
  await app.idle();
  await expect(app.element("subtask:total[2]")).toHaveCount(0);

  // The narrator, the stage and the inspector then say the same.
  await app.toFirst("total[1] is given");
  await expect(app.sentence).toContainText("key groups 43–63 of total[0], key groups 64–85 of total[1]");
  await app.element("subtask:total[1]").click();
  await expect(app.element("subtask:total[1]")).toHaveAccessibleName(/43–63 ← \[0\], 64–85 ← \[1\]/);
  await expect(page.locator(".inspector")).toContainText("key groups 43–63 from total[0]");

  await app.toEnd();
  await expect(app.element("subtask:total[2]")).toBeVisible();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
  await expect((await shelf(app)).getByRole("row", { name: /savepoint 2/ })).toContainText("You");
  expect(await problems(page)).toEqual([]);
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  await expect(app.element("subtask:total[2]")).toHaveCount(0);
});

test("a job is started from a savepoint on the shelf with another parallelism: the dry run's figures are the run's", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await savedAndCancelled(app);
  const stored = (await shelf(app)).getByRole("row", { name: /savepoint 2/ });
  await expect(stored).toContainText("canonical");
  await expect(stored).toContainText("s3://demo/savepoints/savepoint-");
  expect(await problems(page)).toEqual([]);
  await stored.getByRole("button", { name: /^Start from savepoint 2/ }).click();
  await dialog(page).getByLabel("Parallelism of Total per key").fill("3");
  expect(await lines(page, "Operators and their state")).toEqual(["✓ found", "was 2 ✓ found", "✓ found"]);
  const offsets = await lines(page, "Where sources go on");
  await page.getByRole("button", { name: "Restore" }).click();
  await app.idle();

  // What was told is what then happens.
  for (const line of offsets) {
    const [partition, offset, again] = line.split(" ");
    await app.stepUntil(new RegExp(`goes on in ${partition} at offset ${offset}`), ".", 200);
    await expect(app.sentence).toContainText(again === "nothing" ? "nothing is read once more" : `${again} record`);
  }
  await app.toEnd();
  await expect(app.element("subtask:total[2]")).toBeVisible();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
});

test("a dry run that is refused says why and how, and nothing that was open is lost", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await savedAndCancelled(app);
  const event = await app.event();
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Start from the newest savepoint/ }).click();

  await dialog(page).getByLabel("Max parallelism").fill("64");
  await expect(dialog(page)).toContainText("Flink refuses: orders: its maximum parallelism is another one.");
  await expect(dialog(page)).toContainText("with max parallelism 128 to new program with max parallelism 64");
  await dialog(page).getByLabel("Max parallelism").fill("");
  await expect(dialog(page)).toContainText("The job starts, and all state finds its operator.");

  await dialog(page).getByLabel("uid of Total per key").fill("sum");
  await expect(dialog(page)).toContainText("Flink refuses: total: the job has no such operator.");
  await expect(row(page, "Operators and their state", "total")).toContainText("refused");
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  expect(await app.event()).toBe(event);
  await expect(app.branch(/^cancel at/)).toHaveAttribute("aria-pressed", "true");
  await expect(app.element("jobManager")).toBeFocused();

  // Allowed, the state is dropped, and the totals are lost.
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Start from the newest savepoint/ }).click();
  await dialog(page).getByLabel("uid of Total per key").fill("sum");
  await dialog(page)
    .getByLabel(/^Allow non-restored state/)
    .check();
  await expect(dialog(page)).toContainText("The job starts, but the state of total is dropped.");
  await page.getByRole("button", { name: "Restore" }).click();
  await app.idle();
  await app.stepUntil(/^The state of total in the snapshot is left out/, ".", 60);
});

test("what is no job is told with the scenario file's words, and cannot be submitted", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await savedAndCancelled(app);
  await app.press("S");
  await page.getByRole("menuitem", { name: /^Start from the newest savepoint/ }).click();
  await dialog(page).getByLabel("uid of Total per key").fill("out");
  await expect(dialog(page)).toContainText("Another vertex has this uid; each must have its own.");
  await expect(page.getByRole("button", { name: "Restore" })).toBeDisabled();
});

test("the dry run and the shelf work on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await savedAndCancelled(app);
  const stored = (await shelf(app)).getByRole("row", { name: /savepoint 2/ });
  await stored.getByRole("button", { name: /^Start from savepoint 2/ }).click();
  await dialog(page).getByLabel("Parallelism of Total per key").fill("3");
  await expect(dialog(page)).toContainText("63 of 128 key groups change their subtask.");
  const inside = await dialog(page).evaluate((node) => {
    const body = node.querySelector(".dialog-body");
    return body !== null && body.scrollWidth <= body.clientWidth && node.getBoundingClientRect().right <= innerWidth;
  });
  expect(inside).toBe(true);
  expect(await problems(page)).toEqual([]);
  await page.getByRole("button", { name: "Restore" }).click();
  await app.idle();
  await app.toEnd();
  await expect(app.badge()).toHaveAttribute("data-outcome", "OK");
});
