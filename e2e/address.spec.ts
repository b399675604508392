/** The address of the page names what is on screen while one works: a reload, another browser and the way back open it. */
import { type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** Counts how often the page writes its address. */
async function countWrites(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = globalThis as typeof globalThis & { writes: number };
    counted.writes = 0;
    const replace = history.replaceState.bind(history);
    history.replaceState = (...given) => {
      counted.writes++;
      replace(...given);
    };
  });
  return () => page.evaluate(() => (globalThis as typeof globalThis & { writes: number }).writes);
}

/** The address, once what was done last is in it. */
async function address(page: Page, before: string): Promise<string> {
  await expect.poll(() => page.url()).not.toBe(before);
  await new AppPage(page).addressed();
  return page.url();
}

async function inAnotherBrowser(page: Page, link: string): Promise<AppPage> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("no browser");
  const context = await browser.newContext({ viewport: page.viewportSize(), locale: "en-US" });
  const there = new AppPage(await context.newPage());
  await there.page.goto(link);
  await expect(there.page.locator(".position-step")).toContainText("event");
  return there;
}

/** A moment with all that can be looked at in it, made by keys where there is one. */
async function look(app: AppPage): Promise<void> {
  const { page } = app;
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.press("b");
  await page.keyboard.press("{");
  await app.press(">");
  await app.press(">");
  await page.keyboard.press("}");
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("Enter");
  await app.tab("Event log");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("BarrierReceived");
  await page.getByRole("combobox", { name: "Checkpoint" }).selectOption("2");
  await page.getByRole("searchbox", { name: "Words in the event" }).fill("total");
  await app.idle();
}

async function seen(app: AppPage): Promise<object> {
  await app.idle();
  const { page } = app;
  await app.tab("Breakpoints");
  await expect(page.getByRole("button", { name: "Stop looping" })).toBeVisible();
  const stops = await page.locator(".stops").innerText();
  await app.tab("Event log");
  await page.locator(".inspector dl").first().waitFor();
  return {
    event: await app.event(),
    sentence: await app.sentence.innerText(),
    selected: await page.locator(".inspector-head").innerText(),
    stops,
    words: await page.getByRole("searchbox", { name: "Words in the event" }).inputValue(),
    filters: await page.getByRole("list", { name: "Filters" }).innerText(),
  };
}

test("the address follows, loop, breakpoint and filter with it: a reload and another browser open the same", async ({
  page,
}) => {
  const writes = await countWrites(page);
  const app = new AppPage(page);
  await app.open();
  const entries = await page.evaluate(() => history.length);
  const plain = page.url();
  await look(app);
  const before = await seen(app);
  const link = await address(page, plain);
  expect(link).toContain("#at=");
  expect(link.length).toBeLessThan(1500);
  expect(await page.evaluate(() => history.length)).toBe(entries);

  await page.reload();
  expect(await seen(app)).toEqual(before);
  await expect(page.locator("output.banner")).toHaveCount(0);
  await page.waitForTimeout(600);
  expect(page.url()).toBe(link);

  const there = await inAnotherBrowser(page, link);
  expect(await seen(there)).toEqual(before);
  await expect(there.page.locator("output.banner")).toHaveCount(0);
  await there.page.context().close();

  // While it plays the address is not written with every picture.
  const [first, from, begun] = [await writes(), await app.event(), Date.now()];
  await page.keyboard.press("\\");
  await app.tab("Timeline");
  await app.button("Play").click();
  await page.waitForTimeout(1500);
  await app.button("Pause").click();
  await app.idle();
  expect(await app.event()).toBeGreaterThan(from);
  // Every two seconds, and where it stopped; the machine may be slow.
  expect((await writes()) - first).toBeLessThan(4 + (Date.now() - begun) / 1000);
});

/** Two moments of a run: their addresses and what is told of them. The second is on screen. */
async function twoMoments(page: Page) {
  const app = new AppPage(page);
  await app.open();
  const plain = page.url();
  await app.stepUntil(/Checkpoint 1 is complete/);
  const [first, one] = [await address(page, plain), await app.sentence.innerText()];
  for (let step = 0; step < 5; step++) await app.press(">");
  const [second, two] = [await address(page, first), await app.sentence.innerText()];
  expect(two).not.toBe(one);
  return { app, first, one, second, two };
}

test("the way back leads to the moment that was left, and on again", async ({ page }) => {
  const { app, first, one, second, two } = await twoMoments(page);
  await page.evaluate((hash) => void (location.hash = hash), new URL(first).hash);
  await expect(app.sentence).toHaveText(one);
  await app.idle();
  await page.goBack();
  await expect(app.sentence).toHaveText(two);
  expect(page.url()).toBe(second);
  await page.goForward();
  await expect(app.sentence).toHaveText(one);
});

test("who goes elsewhere while the page is about to save what is left comes to where the address leads", async ({
  page,
}) => {
  const { app, first, one } = await twoMoments(page);
  // The page saves before it hears that the address is another.
  await page.evaluate((hash) => {
    location.hash = hash;
    dispatchEvent(new PageTransitionEvent("pagehide"));
  }, new URL(first).hash);
  await expect(app.sentence).toHaveText(one);
  await app.addressed();
  expect(page.url()).toBe(first);
});

test("who goes to and fro at once is where the address leads in the end", async ({ page }) => {
  const { app, first, one, second, two } = await twoMoments(page);
  const go = async (...links: readonly string[]): Promise<void> =>
    page.evaluate(
      (hashes) => {
        for (const hash of hashes) location.hash = hash;
      },
      links.map((link) => new URL(link).hash),
    );
  await go(first, second);
  await app.addressed();
  await expect(app.sentence).toHaveText(two);
  expect(page.url()).toBe(second);
  await go(first, second, first);
  await app.addressed();
  await expect(app.sentence).toHaveText(one);
  expect(page.url()).toBe(first);
});

test("a link that lost its end says how much; it stays in the address as long as that is told", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const plain = page.url();
  await app.stepUntil(/Barrier 1 reaches/);
  const link = await address(page, plain);
  const there = await inAnotherBrowser(page, link.slice(0, -7));
  await there.button("Pause").click();
  const refused = there.page.getByRole("alert");
  await expect(refused).toContainText("7 characters are missing at its end");
  expect(await problems(there.page)).toEqual([]);
  await there.press(">");
  await there.page.waitForTimeout(800);
  expect(there.page.url()).toBe(link.slice(0, -7));
  await refused.getByRole("button", { name: "Close" }).click();
  await address(there.page, link.slice(0, -7));
  await there.page.context().close();
});

test("a link that would be too long is without what can be spared, and says so; without room for a run there is none", async ({
  page,
}) => {
  const noise = (length: number): string =>
    Array.from({ length }, (_, place) => String.fromCharCode(97 + ((place * place * 7 + place * 31) % 26))).join("");
  const words = Array.from({ length: 60 }, (_, place) => `${noise(20 + place)}${(place * 7919).toString(36)}`);
  await page.addInitScript((values) => {
    const list = values.map((value, id) => {
      const field = `${value.slice(0, 9)}${Math.sin(id)}`;
      return { id, on: true, kind: null, element: null, comparison: { field, operator: "=", value }, hit: 1 };
    });
    localStorage.setItem("barrierscope.breakpoints", JSON.stringify(list));
  }, words);
  const app = new AppPage(page);
  await app.open();
  const plain = page.url();
  await app.stepUntil(/Barrier 1 reaches/);
  const link = await address(page, plain);
  const sentence = await app.sentence.innerText();
  await page.keyboard.press("Shift+S");
  await expect(page.getByRole("dialog")).toContainText("The link was made shorter: it is without breakpoints.");
  expect(await page.getByRole("textbox", { name: "Link to this moment" }).inputValue()).toBe(link);
  await page.keyboard.press("Escape");
  const there = await inAnotherBrowser(page, link);
  await expect(there.page.locator("output.banner")).toContainText("it is without breakpoints");
  await expect(there.sentence).toHaveText(sentence);
  await there.page.context().close();

  // A branch whose name alone is longer than a link.
  const name = await page.evaluate(() => Array.from({ length: 300 }, () => Math.random().toString(36)).join(""));
  const forks = [{ branch: 0, step: 20, command: { do: "fail-task", target: "MAP[0]" }, name }];
  const own = { run: 1, library: "linear", step: 30, forks, branch: 1 };
  await page.getByTestId("file").setInputFiles({
    name: "own.run.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(own)),
  });
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await expect.poll(() => app.event()).toBe(30);
  await page.keyboard.press("Shift+S");
  await expect(page.getByRole("dialog")).toContainText("Save a file");
  await page.keyboard.press("Escape");
  // It comes back all the same, since the browser keeps it.
  await page.reload();
  await expect.poll(() => app.event()).toBe(30);
});

test("where the browser keeps nothing that is said, once there is something to keep", async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("not allowed", "SecurityError");
    };
  });
  const app = new AppPage(page);
  await page.goto("/");
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name: "linear" }).first().click();
  await expect(page.locator("output.banner")).toContainText("This run cannot be kept.", { timeout: 20_000 });
  expect(await problems(page)).toEqual([]);
  await expect(app.button("Pause").or(app.button("Play")).first()).toBeVisible();
});
