/** Links to a moment, files of runs, and runs that come back. */
import { type Page, expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

/** What a person sees of a moment. */
interface Seen {
  readonly event: number;
  readonly sentence: string;
  readonly badge: string;
  readonly selected: string;
  readonly tab: string;
}

async function seen(app: AppPage): Promise<Seen> {
  await app.idle();
  const { page } = app;
  // What the inspector tells comes a moment after its head.
  if ((await page.locator(".inspector-head").count()) > 0) await page.locator(".inspector dl").first().waitFor();
  return {
    event: await app.event(),
    sentence: await app.sentence.innerText(),
    badge: await app.badge().innerText(),
    selected: await page.locator(".inspector").innerText(),
    tab: await page.locator(".dock-head").getByRole("tab", { selected: true }).innerText(),
  };
}

/** The link that the dialog offers. */
async function linkOf(page: Page): Promise<string> {
  await page.keyboard.press("Shift+S");
  const link = await page.getByRole("textbox", { name: "Link to this moment" }).inputValue();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return link;
}

/** Opens a link in a page that remembers nothing. */
async function follow(app: AppPage, link: string): Promise<AppPage> {
  const browser = app.page.context().browser();
  if (browser === null) throw new Error("no browser");
  const page = await (await browser.newContext({ viewport: app.page.viewportSize(), locale: "en-US" })).newPage();
  await page.goto(link);
  const there = new AppPage(page);
  await expect(page.locator(".position-step")).toContainText("event");
  await there.idle();
  return there;
}

/** Breaks the selected task by its first way to fail. */
async function failSelected(app: AppPage): Promise<void> {
  await app.page.keyboard.press("f");
  await app.page.getByRole("menuitem").first().click();
  await expect(app.page.getByRole("menu")).toHaveCount(0);
  await app.idle();
}

test("20 moments come back out of their links as they were, in another browser", async ({ page }) => {
  test.slow();
  const app = new AppPage(page);
  await app.open();
  const scenarios = ["order-totals", "linear", "two-lanes", "modes"];
  for (let number = 0; number < 20; number++) {
    await test.step(`link ${number}`, async () => {
      if (number % 5 === 0) {
        await page.getByRole("button", { name: /^Scenario:/ }).click();
        await page
          .getByRole("menuitem", { name: scenarios[number / 5] ?? "" })
          .first()
          .click();
        await app.button("Pause").click();
        await app.idle();
      }
      await app.tab(["Timeline", "Ledger", "Event log", "Branches"][number % 4] ?? "");
      await page.getByRole("slider", { name: "Position in the run" }).press("Home");
      for (let step = 0; step < (number % 5) * 2 + 3; step++) await app.press(">");
      const tasks = page.locator('[data-element^="subtask:"]');
      await tasks.nth(number % (await tasks.count())).click();
      if (number % 5 === 2) await failSelected(app);
      const before = await seen(app);
      const link = await linkOf(page);
      expect(link.length).toBeLessThan(1500);
      const there = await follow(app, link);
      expect(await seen(there)).toEqual(before);
      await expect(there.page.locator("output.banner")).toHaveCount(0);
      await there.page.context().close();
    });
  }
});

test("a link of another version says what it shows otherwise, and what it cannot show", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const made = (document: object): Promise<string> =>
    page.evaluate(async (text) => {
      const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return `#at=${btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "")}`;
    }, JSON.stringify(document));
  const forks = [{ branch: 0, step: 10, command: { do: "fail-task", target: "nobody[7]" } }];
  const open = async (fragment: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), fragment);
  await open(
    await made({
      run: 1,
      version: "0.0.1",
      library: "order-totals",
      step: 999_999,
      forks,
      marks: [[700, 1]],
      selection: "subtask:99",
      loop: [10, 999_998],
      filter: { kinds: ["CheckpointCompleted", "Nothing"] },
      breakpoints: [{ kind: "Nothing" }],
    }),
  );
  const notice = page.locator("output.banner");
  await expect(notice).toContainText("Not all of this run can be shown by this version.");
  await expect(notice).toContainText("forks[0]");
  await expect(notice).toContainText("1 branch was left out");
  await expect(notice).toContainText("Event 999999 does not exist here");
  await expect(notice).toContainText("the first difference is between events 0 and 700");
  await expect(notice).toContainText("It was made by version 0.0.1 of this program");
  await expect(notice).toContainText("subtask:99");
  await expect(notice).toContainText("The loop from event 10 to event 999998 is not in this run.");
  await expect(notice).toContainText("1 part of the event log's filter is not known here.");
  await expect(notice).toContainText("1 breakpoint is not known here.");
  expect(await problems(page)).toEqual([]);
  await app.button("Go to the first difference").click();
  await app.idle();
  expect(await app.event()).toBe(0);

  const refused = page.getByRole("alert");
  await open(await made({ run: 2, step: 0 }));
  await expect(refused).toContainText("another version of this program");
  await open(await made({ run: 1, library: "gone", step: 0 }));
  await expect(refused).toContainText("has no such scenario");
  await open("#at=broken");
  await expect(refused).toContainText("incomplete or changed");
  expect(await problems(page)).toEqual([]);

  // E-23: the run comes from the clipboard, or as a file.
  const run = JSON.stringify({ run: 1, library: "shuffle", step: 7 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async (text) => navigator.clipboard.writeText(text), "no run");
  await app.button("Paste a run").click();
  await expect(refused).toContainText("What was pasted");
  await refused.getByRole("button", { name: "Close" }).click();
  await expect(refused).toHaveCount(0);
  await open("#at=broken-too");
  await expect(refused).toContainText("incomplete or changed");
  const chooser = page.waitForEvent("filechooser");
  await app.button("Open a run file").click();
  await (await chooser).setFiles({ name: "run.json", mimeType: "application/json", buffer: Buffer.from(run) });
  await expect(page.locator(".scenario-title")).toContainText("Shuffle");
  await expect(refused).toHaveCount(0);
});

test("a run in which something was decided is saved by itself and comes back, with names and branches", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.element("subtask:total[1]").click();
  await failSelected(app);
  const before = await seen(app);
  await page.keyboard.press("Shift+S");
  await expect(page.getByText("open now")).toBeVisible();
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.locator("output.banner")).toContainText("Your last run is back.");
  expect(await seen(app)).toEqual(before);
  await expect(app.branch(/^fail/)).toBeVisible();

  // The plain example is nothing that has to come back; the run stays among the saved ones.
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name: /order-totals/ }).click();
  await app.button("Pause").click();
  await app.idle();
  await page.keyboard.press("Shift+S");
  await page.getByRole("button", { name: /^Open .+1 what-if$/ }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await seen(app)).toEqual(before);
});

test("a run is saved as a file and opened again, at 390 px too", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  const sentence = await app.sentence.innerText();
  await page.keyboard.press("Shift+S");
  await expect(app.button("Save the run as a file")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await problems(page)).toEqual([]);
  const saving = page.waitForEvent("download");
  await app.button("Save the run as a file").click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("order-totals.run.json");
  await page.keyboard.press("Escape");
  await app.press("Home");
  await page.getByTestId("file").setInputFiles(await download.path());
  await expect(app.sentence).toHaveText(sentence);
});
