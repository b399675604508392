/** A failure that is dragged along the timeline. */
import { type Locator, type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

const slider = (page: Page): Locator => page.getByRole("slider", { name: "Where the failure strikes" });

/** What is said of the place where the failure stands, once it is known. */
async function verdict(page: Page): Promise<string> {
  const said = page.locator(".crash-said[data-step]");
  await expect(said).toBeVisible();
  return (await said.locator(".outcome-word").innerText()).trim();
}

async function begin(app: AppPage, delivery: string): Promise<void> {
  await app.open();
  await app.page.getByRole("combobox", { name: "Sink delivery" }).selectOption(delivery);
  await app.idle();
  await app.tab("Timeline");
  await app.button(/Drag a crash/).click();
  await expect(slider(app.page)).toBeEnabled();
  await verdict(app.page);
}

test("a failure is moved by keys, by event and by phase, and what it comes to is what the opened run comes to", async ({
  page,
}) => {
  const app = new AppPage(page);
  await begin(app, "at-least-once");
  await page.getByRole("combobox", { name: "What fails" }).selectOption({ label: "fail total[1]" });
  await slider(page).focus();
  const before = await app.event();
  await page.keyboard.press("ArrowRight");
  expect(await app.event()).toBe(before + 1);

  // Somewhere a phase opens in which a failure doubles.
  let word = await verdict(page);
  for (let i = 0; i < 40 && word !== "DUPLICATE"; i++) {
    await page.keyboard.press("Shift+ArrowRight");
    word = await verdict(page);
  }
  expect(word).toBe("DUPLICATE");
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /fail total\[1\] at [\d.]+ s: DUPLICATE/);
  expect(await problems(page)).toEqual([]);
  const event = await app.event();
  const said = await page.locator(".crash-said").innerText();
  await page.keyboard.press("Enter");
  await app.idle();
  await expect(app.branch("as the scenario says")).toHaveAttribute("aria-pressed", "false");
  expect(await app.event()).toBe(event + 1);

  // Its run is taken up again: the same failure at the same place says the same.
  await expect(slider(page)).toBeEnabled();
  await app.toEnd();
  await expect(app.badge()).toHaveText("DUPLICATE");
  await app.button(/Drag a crash/).click();
  let workers = 0;
  page.on("worker", () => workers++);
  await app.button(/Drag a crash/).click();
  await expect(page.locator(".crash-said[data-step]")).toHaveText(said);
  // The run that it had struck is what is asked about: nothing is begun for the one on screen before.
  expect(workers).toBe(1);
  await expect(app.branch("as the scenario says")).toHaveAttribute("aria-pressed", "true");
});

test("while it is dragged the verdict follows the hand; how soon is printed", async ({ page }) => {
  const app = new AppPage(page);
  await begin(app, "exactly-once");
  const box = await slider(page).boundingBox();
  if (box === null) throw new Error("the slider has a place");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.2, y);
  await page.mouse.down();
  const moves = 40;
  for (let i = 0; i <= moves; i++) {
    await page.mouse.move(box.x + box.width * (0.2 + (0.6 * i) / moves), y);
    await verdict(page);
  }
  await page.mouse.up();
  const times = await page.evaluate(() =>
    performance.getEntriesByName("crash-verdict").map(({ duration }) => duration),
  );
  const sorted = [...times].sort((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Infinity;
  console.log(
    `${times.length} moves, from move to verdict: median ${sorted[Math.floor(times.length / 2)]?.toFixed(1)} ms, 95th percentile ${p95.toFixed(1)} ms`,
  );
  expect(times.length).toBeGreaterThan(30);
  // The aim is 50 ms. What is asserted only says that it does not hang: these machines are shared.
  expect(p95).toBeLessThan(1000);
  expect(await page.locator(".crash-column").count()).toBeGreaterThan(30);
});

test("at 390 px there are buttons instead of dragging", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await begin(app, "none");
  const before = await app.event();
  await app.button("One phase on").click();
  await verdict(page);
  expect(await app.event()).toBeGreaterThan(before);
  await app.button("One event back").click();
  await verdict(page);
  expect(await problems(page)).toEqual([]);
});
