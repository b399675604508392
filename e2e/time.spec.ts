/** Going about in time, as a person does it. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test.describe("time", () => {
  test("a breakpoint on a condition stops playing exactly there, and says so", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.tab("Breakpoints");
    const form = page.getByRole("form", { name: "New breakpoint" });
    await form.getByRole("combobox", { name: "Stop at" }).selectOption("BarrierReceived");
    await form.getByRole("combobox", { name: "of", exact: true }).selectOption({ label: "total[1]" });
    await form.getByRole("combobox", { name: "where" }).selectOption("checkpoint");
    await form.getByRole("combobox", { name: "Comparison" }).selectOption("≥");
    await form.getByRole("textbox", { name: "Value" }).fill("two");
    await form.getByRole("button", { name: "Add breakpoint" }).click();
    await expect(form.getByRole("alert")).toHaveText("checkpoint is a number: enter one, for example 20.");
    await form.getByRole("textbox", { name: "Value" }).fill("2");
    await form.getByRole("spinbutton", { name: "from hit" }).fill("2");
    await form.getByRole("button", { name: "Add breakpoint" }).click();
    const name = "BarrierReceived · total[1] · checkpoint ≥ 2 · from hit 2";
    await expect(page.getByRole("cell", { name, exact: true })).toBeVisible();

    // As fast as it is computed: all that there is, but not behind the breakpoint.
    await app.speed("max");
    await page.keyboard.press("v");
    await expect(page.locator(".position-stop")).toHaveText(`Stopped at ${name}`);
    await expect(app.sentence).toContainText("Barrier 2");
    await expect(app.sentence).toContainText("total[1]");
    await app.idle();
    const first = await app.event();
    await app.press("v");
    await expect(page.locator(".position-stop")).toBeVisible();
    expect(await app.event()).toBeGreaterThan(first);
    await app.button(`Hit before of ${name}`).click();
    expect(await app.event()).toBe(first);
    expect(await problems(page)).toEqual([]);

    // It is there after a reload, and off when it is switched off.
    await app.reload();
    await app.tab("Breakpoints");
    await page.getByRole("checkbox", { name: `On: ${name}` }).uncheck();
    await app.speed("max");
    await app.press("v");
    await expect(app.button("Play again from the start")).toBeVisible();
  });

  test("by keys: B sets one for what just happened, Shift+B goes to its hits, B takes it away", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.toEnd();
    await app.press("Shift+N");
    const last = await app.event();
    await app.press("b");
    await expect(page.getByRole("cell", { name: "CheckpointCompleted", exact: true })).toBeVisible();
    await app.press("Home");
    await app.press("Shift+B");
    const first = await app.event();
    expect(first).toBeLessThan(last);
    await expect(app.sentence).toContainText("Checkpoint 1 is complete");
    await app.press("b");
    await expect(page.getByText("No breakpoints yet")).toBeVisible();
  });

  test("a loop plays a span over and over", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.tab("Breakpoints");
    await page.getByRole("combobox", { name: "Loop a checkpoint" }).selectOption({ label: "Checkpoint 2" });
    const from = await app.event();
    await expect(page.locator(".mark-loop")).toBeVisible();
    const told = await page.getByText(/^events \d+ to \d+/).innerText();
    const to = Number(/to (\d+)/.exec(told)?.[1]);
    await app.speed("64");
    await page.keyboard.press("v");
    const seen = await page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const steps: number[] = [];
          const look = setInterval(() => {
            const words = document.querySelector(".position-step")?.textContent ?? "";
            steps.push(Number(/[\d,]+/.exec(words)?.[0].replaceAll(",", "")));
            if (steps.length < 60) return;
            clearInterval(look);
            resolve(steps);
          }, 50);
        }),
    );
    await app.press("v");
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(from);
    expect(Math.max(...seen)).toBeLessThanOrEqual(to);
    expect(seen.some((step, index) => index > 0 && step < (seen[index - 1] ?? 0))).toBe(true);
    await app.press("\\");
    await expect(page.locator(".mark-loop")).toHaveCount(0);
  });

  test("steps by meaning in both directions, of the selected checkpoint where one is selected", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.press("Home");
    await app.press("n");
    const first = await app.event();
    await app.press("n");
    expect(await app.event()).toBeGreaterThan(first);
    await app.press("Shift+N");
    expect(await app.event()).toBe(first);
    await app.press(".");
    expect(await app.event()).toBe(first + 1);
    await app.press(",");
    expect(await app.event()).toBe(first);
    await app.tab("Timeline");
    await page.getByRole("button", { name: /^Checkpoint 2, completed/ }).click();
    await app.press("End");
    const phases: string[] = [];
    for (let step = 0; step < 30; step++) {
      const before = await app.event();
      await app.press("<");
      if ((await app.event()) === before) break;
      phases.push(await app.sentence.innerText());
    }
    expect(phases.length).toBeGreaterThan(8);
    expect(phases.at(-1)).toContain("Checkpoint 2 starts");
    expect(phases.filter((told) => /(checkpoint|barrier) [134]\b/i.test(told))).toEqual([]);
    // A failure and its restart.
    await app.press("Escape");
    await app.element("subtask:total[1]").click();
    await app.press("f");
    await page.getByRole("menuitem").first().click();
    await app.idle();
    await app.press("Home");
    await app.press("x");
    await app.press("x");
    const there = await app.event();
    await app.press("x");
    expect(await app.event()).toBeGreaterThan(there);
    await app.press("Shift+X");
    expect(await app.event()).toBe(there);
  });

  test("runs to a mark of the timeline and to the next event of what is selected", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.press("Home");
    await app.speed("64");
    await app.tab("Timeline");
    const mark = page.getByRole("button", { name: /^Checkpoint 1, completed/ });
    await mark.click({ modifiers: ["Shift"] });
    await expect(app.button("Play")).toBeVisible();
    await app.idle();
    await expect(app.sentence).toContainText("Checkpoint 1 starts");
    await app.press("Escape");
    await app.element("subtask:total[0]").click();
    const before = await app.event();
    await app.press("Shift+R");
    await expect.poll(() => app.event()).toBeGreaterThan(before);
    await app.idle();
    await expect(app.sentence).toContainText("total[0]");
  });

  test("with reduced motion plays discrete frames: the time shown is that of an event", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/");
    const app = new AppPage(page);
    await expect(app.button("Play")).toBeVisible();
    // The first visit has its own pace.
    await page.locator(".tour").waitFor();
    await page.keyboard.press("Escape");
    await expect(page.locator(".tour")).toHaveCount(0);
    await app.speed("8");
    await page.keyboard.press("v");
    const times = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const seen: string[] = [];
          const look = setInterval(() => {
            seen.push(document.querySelector('[data-testid="time"]')?.textContent ?? "");
            if (seen.length < 60) return;
            clearInterval(look);
            resolve(seen);
          }, 50);
        }),
    );
    await app.press("v");
    expect(new Set(times).size).toBeGreaterThan(1);
    expect(new Set(times).size).toBeLessThan(40);
  });

  test("Z shows idle time at its full length: same entry, same time; it is remembered", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.scenario("file-sink");
    const slider = page.getByRole("slider", { name: "Position in the run" });
    const notch = page.locator(".scrubber .fold");
    await expect(notch).toHaveText("⋯ 3.9 s");
    await expect(page.locator(".timeline-axis .fold")).toHaveText("⋯ 3.9 s");
    const folded = Number(await slider.getAttribute("max"));
    await app.toEnd();
    for (let step = 0; step < 9; step++) await app.press(",");
    const time = await page.getByTestId("time").innerText();
    const event = await app.event();
    await app.press("z");
    await expect(notch).toHaveCount(0);
    expect(Number(await slider.getAttribute("max"))).toBeGreaterThan(folded + 30_000);
    await expect(page.getByTestId("time")).toHaveText(time);
    expect(await app.event()).toBe(event);
    await page.reload();
    // The run has come back as it stood.
    await app.idle();
    await expect(page.locator(".header")).toContainText("file-sink");
    await expect(app.button("Fold idle time")).toHaveAttribute("aria-pressed", "false");
    await expect(notch).toHaveCount(0);
    await app.button("Fold idle time").click();
    await expect(notch).toHaveText("⋯ 3.9 s");
    expect(await problems(page)).toEqual([]);
  });

  test("while it plays through a fold the time says so, and runs on", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.scenario("file-sink");
    await app.speed("0.05");
    const fold = page.locator(".scrubber .fold");
    const box = await fold.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 3, (box?.y ?? 0) + 8);
    await expect(page.getByTestId("time")).toHaveAttribute("data-fold", "⋯ 3.9 s");
    const before = await page.getByTestId("time").innerText();
    await page.keyboard.press("v");
    await expect(page.getByTestId("time")).not.toHaveText(before);
    await page.keyboard.press("v");
  });

  test("the timeline shows checkpoints by subtask, as picture and as table, and zooms around the cursor", async ({
    page,
  }) => {
    const app = new AppPage(page);
    await app.open();
    await app.press("n");
    await app.tab("Timeline");
    const rows = page.getByRole("region", { name: "Timeline of the branch" });
    await rows.getByRole("button", { name: /Checkpoints$/ }).click();
    await expect(rows.locator(".subtask-row")).toHaveCount(5);
    expect(await rows.locator(".subtask-part.async").count()).toBeGreaterThan(10);
    await expect(rows.locator(".subtask-ack").first()).toHaveAttribute("title", /acknowledges checkpoint 1 at/);
    const width = async (): Promise<number> => (await rows.boundingBox())?.width ?? 0;
    const before = await width();
    await rows.getByRole("button", { name: /^Checkpoint 1, completed/ }).focus();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await expect.poll(width).toBeGreaterThan(before * 2);
    await expect(rows.locator(".timeline-cursor i")).toBeInViewport();
    const box = await rows.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 600, (box?.y ?? 0) + 60);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -240);
    await page.keyboard.up("Control");
    await expect.poll(width).toBeGreaterThan(before * 4);
    await rows.getByRole("button", { name: "As table" }).focus();
    await page.keyboard.press("0");
    await expect.poll(width).toBe(before);
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("row", { name: /total\[1\], Checkpoint 1 alignment/i })).toBeVisible();
    await page
      .getByRole("button", { name: /total\[1\], Checkpoint 1/i })
      .first()
      .click();
    await app.idle();
    expect(await problems(page)).toEqual([]);
  });

  test("a double click on a gap of the timeline opens the microscope there", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.tab("Timeline");
    const track = page.locator(".timeline-row", { hasText: "Checkpoints" }).locator(".timeline-track").first();
    const [first, second] = [
      await track.getByRole("button").nth(0).boundingBox(),
      await track.getByRole("button").nth(1).boundingBox(),
    ];
    if (first === null || second === null) throw new Error("two checkpoints are on the timeline");
    await page.mouse.dblclick((first.x + first.width + second.x) / 2, first.y + first.height / 2);
    await expect(page.getByRole("dialog")).toContainText(/window/i);
  });

  test("at its end a run says that it is quiet, and what can be done: more input, a fault, anew", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.scenario("two-lanes");
    await app.toEnd();
    const quiet = page.locator(".quiet");
    await expect(quiet).toContainText("All quiet: no event is scheduled.");
    expect(await problems(page)).toEqual([]);
    const end = await app.event();
    await quiet.getByRole("button", { name: "Inject a fault" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await page.keyboard.press("Escape");
    await quiet.getByRole("button", { name: "Add input" }).click();
    await app.button("Pause").click();
    await app.toEnd();
    expect(await app.event()).toBeGreaterThan(end * 1.5);
    await app.press("u");
    await app.toEnd();
    expect(await app.event()).toBe(end);
    await quiet.getByRole("button", { name: "Restart run" }).click();
    await expect(quiet).toHaveCount(0);
    await app.button("Pause").click();
    expect(await app.event()).toBeLessThan(end);
  });

  test("without a checkpoint yet its panel says when the first comes, and lets it come now", async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.press("Home");
    for (let step = 0; step < 40; step++) await page.keyboard.press(".");
    await app.idle();
    await app.tab("Checkpoints");
    await app.button("Trigger now").click();
    await app.idle();
    await expect(app.branch(/^trigger/)).toHaveAttribute("aria-pressed", "true");
  });

  test("at 390 px breakpoints are set and hit, and axe finds nothing", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const app = new AppPage(page);
    await app.open();
    await app.tab("Breakpoints");
    await app.button("Add breakpoint").click();
    await app.button("To the next stop").click();
    await expect(app.sentence).toContainText("is complete");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // What the bars at the bottom lie over can be scrolled to above them.
    await page.getByRole("button", { name: /^Remove/ }).evaluate((node) => node.scrollIntoView({ block: "center" }));
    expect(await problems(page)).toEqual([]);
  });
});
