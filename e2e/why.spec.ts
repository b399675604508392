/** Why: what waits for what, causes back to their root, effects, and what would be without a cause. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const why = (app: AppPage) => app.page.locator(".why");

/** By the event log to the first entry of a type; nothing has the focus then that uses keys itself. */
async function toFirst({ page }: AppPage, type: string): Promise<void> {
  await page.getByRole("tab", { name: "Event log" }).click();
  await page.getByRole("searchbox", { name: "Words in the event" }).fill(type);
  const row = page.getByRole("table", { name: "Event log" }).getByRole("row").nth(1);
  await expect(row).toContainText(type);
  await row.getByRole("button", { name: /^Go to event/ }).click();
}

test("a waiting checkpoint says by key what it waits for; the culprits are lit, all else fades", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^total\[\d\] stops reading/, ".", 900);
  await app.element("checkpoint:1").first().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("w");
  await expect(why(app).getByRole("heading", { name: "Why is Checkpoint 1 so?" })).toBeVisible();
  const waits = why(app).getByRole("region", { name: "What it waits for" });
  await expect(waits).toContainText(
    /Checkpoint 1 waits for 5 of 5 acknowledgements; total\[\d\] holds it up|out\[0\] holds it up/,
  );
  await expect(waits).toContainText(/waits for barrier 1 from/);
  await expect(why(app)).toContainText("execution.checkpointing.interval is 1 s");
  await expect(page.locator(".world.lighting")).toHaveCount(1);
  await expect(app.element("checkpoint:1").first()).toHaveClass(/lit/);
  await expect(app.element("taskManager:tm-1")).not.toHaveClass(/lit/);
  await app.tab("Event log");
  await page.getByRole("searchbox", { name: "Words in the event" }).fill("CheckpointTriggered");
  await expect(page.locator(".event-table .virtual-row[data-lit]").first()).toBeVisible();
  await expect(page.locator(".event-table .virtual-row:not(.head, [data-lit])").first()).toBeVisible();
  expect(await problems(page)).toEqual([]);

  await app.tab("Event log");
  await page.keyboard.press("w");
  await expect(why(app)).toBeHidden();
  await expect(page.locator(".world.lighting")).toHaveCount(0);
});

test("a restart leads back to the fault; without the fault it is gone, and that run opens", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/, ">");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("f");
  await page.getByRole("menuitem", { name: /^Throw exception/ }).click();
  await app.idle();
  await page.keyboard.press("Escape");
  await app.stepUntil(/^Restart 1 is granted/, ".", 60);
  await page.keyboard.press("w");
  await expect(why(app).getByText("you", { exact: true })).toBeVisible();

  const fault = why(app)
    .getByRole("listitem")
    .filter({ hasText: /because fault: total\[1\] throws/ });
  await fault.getByRole("button", { name: /^What if not/ }).press("Enter");
  await expect(fault).toContainText("then this is gone", { timeout: 60_000 });
  await expect(fault).toContainText("OK");
  expect(await problems(page)).toEqual([]);

  // What came of it leads on, and back.
  const effects = why(app).getByRole("region", { name: "What came of it" });
  const before = await app.event();
  await effects
    .getByRole("button", { name: /^Go to/ })
    .first()
    .press("Enter");
  expect(await app.event()).toBeGreaterThan(before);

  await app.stepUntil(/^Restart 1 is granted/, ",", 60);
  await fault.getByRole("button", { name: /^What if not/ }).press("Enter");
  await fault.getByRole("button", { name: "open that run" }).click();
  await app.idle();
  await expect(app.branch(/what if not/)).toBeVisible();
  await app.toEnd();
  await expect(app.badge()).toHaveText("OK");
});

test("an option that is at fault goes back to Flink's default, a record is dropped: the fact is gone", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await toFirst(app, "CheckpointTriggered");
  await page.keyboard.press("w");
  const option = why(app).getByRole("listitem").filter({ hasText: "execution.checkpointing.interval is 1 s" });
  await option.getByRole("button", { name: /^What if not, Flink's default instead/ }).press("Enter");
  await expect(option).toContainText("then this is gone", { timeout: 60_000 });
  await option.getByRole("button", { name: "open that run" }).press("Enter");
  await app.idle();
  await expect(page.getByRole("button", { name: /^Scenario:/ })).toBeVisible();
  await app.tab("Checkpoints");
  await expect(page.getByRole("row", { name: /COMPLETED/ })).toHaveCount(0);

  await toFirst(app, "RecordReceived");
  // It stayed open.
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  const record = why(app)
    .getByRole("listitem")
    .filter({ hasText: /because orders\[\d\] reads/ });
  await record.getByRole("button", { name: /^What if not, drop the record/ }).press("Enter");
  await expect(record).toContainText("then this is gone", { timeout: 60_000 });
  expect(await problems(page)).toEqual([]);
});

test("two events that do not come of each other are tried the other way round", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/^Checkpoint 1 is complete/);
  await page.keyboard.press("w");
  const order = why(app).getByRole("button", { name: /^What if not, event \d+ first: / });
  await order.first().focus();
  await page.keyboard.press("Enter");
  await expect(why(app).locator(".why-answer").first()).toHaveText(
    /then this (is gone|comes .* later|happens all the same)|these two cannot change places/,
    { timeout: 60_000 },
  );
  expect(await problems(page)).toEqual([]);
});

test("on a phone it stands under the sentence, and nothing scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Barrier 1 reaches/, ">");
  await app.button("Why?").click();
  await expect(why(app)).toContainText("because");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // Tall enough that nothing is under the transport.
  await page.setViewportSize({ width: 390, height: 3000 });
  expect(await problems(page)).toEqual([]);
});
