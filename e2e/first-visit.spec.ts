/** The first minute of a first visit: it runs by itself, asks for one click, and gives way to whoever wants something else. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test.describe.configure({ mode: "serial" });

/** Milliseconds for which the script waits for an answer. */
const PATIENCE = 12_000;

const line = (page: Page) => page.locator(".tour-lines");

async function marks(page: Page): Promise<{ [name: string]: number }> {
  return page.evaluate(() =>
    Object.fromEntries(
      performance.getEntriesByType("mark").map(({ name, startTime }) => [name, Math.round(startTime)]),
    ),
  );
}

test("a barrier crosses, a click kills, a guess is asked, nothing is lost; without transactions it is doubled", async ({
  page,
}) => {
  await page.goto("/");
  await expect(line(page)).toContainText("Two machines count orders. Something is about to die.");
  await expect(page.locator(".scenario-title")).toContainText("Orders counted by product");
  await expect(line(page)).toContainText("Barrier 2: everything before it goes into checkpoint 2.", {
    timeout: 60_000,
  });
  const victim = page.getByRole("button", { name: "Kill count[0]" });
  await expect(victim).toBeFocused({ timeout: 60_000 });
  await expect(victim).toContainText("Click to kill it");
  await page.keyboard.press("Enter");
  await expect(line(page)).toContainText("How many orders will be lost?");
  await expect(page.getByRole("button", { name: "none" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(line(page)).toContainText("count[0] is dead");
  const shown = await marks(page);
  console.log("first visit, ms from navigation:", JSON.stringify(shown));
  const [moving, barrier, failure] = ["moving", "barrier", "failure"].map(
    (what) => shown[`first-visit: ${what}`] ?? NaN,
  );
  expect(moving).toBeLessThan(barrier ?? NaN);
  expect(barrier).toBeLessThan(failure ?? NaN);
  // It plays up to the barrier and goes on at once: nothing is asked there that somebody would have to answer.
  expect((barrier ?? NaN) - (moving ?? NaN)).toBeLessThan(PATIENCE);
  await expect(line(page)).toContainText(/None lost, \d+ processed twice, counted once\. Expected 12, seen 12\./, {
    timeout: 90_000,
  });
  await expect(line(page)).toContainText("You said a few.");
  await expect(page.locator(".outcome-badge")).toContainText("OK");
  await expect(page.getByRole("button", { name: "Drag the crash", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  // By key, as by hand: wherever it crashes, nothing is lost and nothing doubled.
  const handle = page.locator(".crash-row input[type=range]");
  await expect(handle).toBeEnabled({ timeout: 60_000 });
  await handle.press("ArrowRight");
  await expect(handle).toHaveAttribute("aria-valuetext", /OK$/, { timeout: 60_000 });
  await page.getByRole("button", { name: "Now without transactions" }).press("Enter");
  await expect(line(page)).toContainText(/Readers see [1-9]\d* orders? twice/, { timeout: 90_000 });
  await expect(page.locator(".outcome-badge")).toContainText("DUPLICATE");
  const why = page.locator(".tour").getByRole("button", { name: "Why?" });
  await expect(why).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
  await expect(line(page)).toContainText("Now it is yours.");
  expect(await problems(page)).toEqual([]);
  await page.getByRole("button", { name: "Compare the modes" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: /^Scenario:/ })).toBeVisible();
  await expect(line(page)).toBeHidden();
});

test("where nobody answers it goes on by itself at half the speed, and at its own again for whoever does", async ({
  page,
}) => {
  await page.goto("/");
  await expect(line(page)).toContainText("How many orders will be lost?", { timeout: 60_000 });
  await expect(line(page)).toContainText("count[0] is dead", { timeout: 30_000 });
  const speed = page.getByRole("combobox", { name: "Speed" });
  await expect(speed).toHaveValue("2");
  await expect(line(page)).toContainText("None lost", { timeout: 120_000 });
  await page.getByRole("button", { name: "Drag the crash", exact: true }).click();
  await page.getByRole("button", { name: "Now without transactions" }).click();
  await expect(speed).toHaveValue("8", { timeout: 60_000 });
});

test("Esc ends it, and it does not come again; the speed is what it was", async ({ page }) => {
  await page.goto("/");
  await expect(line(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(line(page)).toBeHidden();
  await expect(page.getByRole("combobox", { name: "Speed" })).toHaveValue("1");
  await page.reload();
  await expect(page.getByRole("button", { name: /^Scenario:/ })).toBeVisible();
  await expect(line(page)).toBeHidden();
});

test("whoever does something else has the page for himself", async ({ page }) => {
  await page.goto("/");
  await expect(line(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(line(page)).toBeHidden();
});

test("without motion it is still frames, one after the other, and it goes on by itself", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  const app = new AppPage(page);
  await expect(line(page)).toContainText("Step 1 of 8.");
  await app.idle();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(line(page)).toContainText("Barrier 2");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page.getByRole("button", { name: "Kill count[0]" })).toBeVisible();
  await expect(line(page)).toContainText("How many orders will be lost?", { timeout: 20_000 });
});
