/** What a person does on the page, for the tests: waits for the page's own idle signal, never for time. */
import { expect, type Locator, type Page } from "@playwright/test";

/** The panels that a phone shows by way of its bar. */
const panels: ReadonlySet<string> = new Set([
  "Timeline",
  "Checkpoints",
  "Event log",
  "Ledger",
  "Branches",
  "Kill sweep",
  "Outline",
  "Breakpoints",
  "Space–time",
  "Exceptions",
  "Selected",
]);

export class AppPage {
  readonly page: Page;
  readonly sentence: Locator;
  readonly stage: Locator;

  constructor(page: Page) {
    this.page = page;
    this.sentence = page.getByTestId("sentence");
    this.stage = page.locator("#stage");
  }

  /** Nobody's first visit: what a first one is shown does not come (`first-visit.spec.ts` has that). */
  async visitedBefore(): Promise<void> {
    await this.page.addInitScript(() => {
      if (localStorage.getItem("barrierscope.settings") === null)
        localStorage.setItem("barrierscope.settings", JSON.stringify({ visited: true }));
    });
  }

  /** Opens the page with nothing else remembered and stops the run that plays by itself. */
  async open(): Promise<void> {
    await this.visitedBefore();
    await this.page.goto("/");
    await expect(this.button("Pause")).toBeVisible();
    await this.button("Pause").click();
    await this.idle();
  }

  /** Until the address names what is on screen: it is written once the page has rested for a while. */
  async addressed(): Promise<void> {
    for (let before = ""; before !== this.page.url();) {
      before = this.page.url();
      await this.page.waitForTimeout(800);
    }
  }

  /** Loads the page again: what was on screen is there again, and stands. */
  async reload(): Promise<void> {
    await this.addressed();
    await this.page.reload();
    await expect(this.button("Play")).toBeVisible();
    await this.idle();
  }

  /** Looks with each frame: an assertion looks again after a tenth of a second at the soonest, of which a test has thousands. */
  async idle(): Promise<void> {
    await this.page.waitForFunction(() => document.documentElement.dataset["idle"] === "true", null, {
      timeout: 10_000,
    });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** In the branch switcher. */
  branch(name: string | RegExp): Locator {
    return this.page
      .getByRole("navigation", { name: "Branches" })
      .getByRole("button", { name, exact: typeof name === "string" });
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.idle();
  }

  /** Opens a panel, or a part of one; on a phone panels are opened by way of the bar at the bottom. */
  async tab(name: string): Promise<void> {
    const phone = (this.page.viewportSize()?.width ?? 0) < 720 && panels.has(name);
    await (phone ? this.phonePanel(name) : this.page.getByRole("tab", { name }).click());
  }

  private async phonePanel(name: string): Promise<void> {
    if (name === "Selected") return this.bar("Inspect").click();
    if (name === "Timeline" || name === "Space–time") {
      await this.bar("Time").click();
      return this.page.getByRole("tab", { name }).click();
    }
    await this.bar("More").click();
    await this.page
      .getByRole("dialog")
      .getByRole("button", { name: new RegExp(`^${name}`) })
      .click();
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }

  /** A tab of the bar at the bottom of a phone. */
  bar(name: "Stage" | "Time" | "Inspect" | "More" | "Fail"): Locator {
    return this.page.getByRole("navigation", { name: "Views" }).getByRole("button", { name });
  }

  /** The number of the event at the cursor. */
  async event(): Promise<number> {
    const words = await this.page.locator(".position-step").innerText();
    return Number(/[\d,]+/.exec(words)?.[0].replaceAll(",", ""));
  }

  /** An element of the stage, by what it is: `subtask:total[1]`. */
  element(key: string): Locator {
    return this.page.locator(`[data-element="${key}"]`);
  }

  /** Steps by phase until the sentence says it. */
  async stepUntil(words: RegExp, key = ">", most = 60): Promise<void> {
    for (let i = 0; i < most; i++) {
      await this.press(key);
      if (words.test(await this.sentence.innerText())) return;
    }
    throw new Error(`no step of ${most} says ${words}`);
  }

  /** Goes to the first event of the run in whose words these are, by way of the event log. */
  async toFirst(words: string): Promise<void> {
    await this.tab("Event log");
    await this.page.getByRole("searchbox", { name: "Words in the event" }).fill(words);
    const row = this.page.getByRole("table", { name: "Event log" }).getByRole("row").nth(1);
    await expect(row).toContainText(words);
    await row.getByRole("button", { name: /^Go to event/ }).click();
    await this.idle();
  }

  async toEnd(): Promise<void> {
    await this.page.getByRole("slider", { name: "Position in the run" }).press("End");
    await this.idle();
  }

  /** Opens a scenario of the library by its id, and stops it. */
  async scenario(id: string): Promise<void> {
    await this.button(/^Scenario:/).click();
    await this.page
      .getByRole("menuitem")
      .filter({ has: this.page.getByText(id, { exact: true }) })
      .click();
    await expect(this.page.locator(".header")).toContainText(id);
    await this.button("Pause").click();
    await this.idle();
  }

  async speed(speed: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Speed" }).selectOption(speed);
  }

  /** Goes to the second checkpoint and has total[1]'s acknowledgement of it lost. */
  async loseAcknowledgement(): Promise<void> {
    await this.press("n");
    await this.stepUntil(/heckpoint 2/);
    await this.element("subtask:total[1]").click({ position: { x: 24, y: 14 } });
    await this.page.keyboard.press("F");
    await this.page.getByRole("menuitem", { name: /Lose its next acknowledgement/ }).click();
    await this.idle();
  }

  badge(): Locator {
    return this.page.locator(".outcome-badge");
  }
}
