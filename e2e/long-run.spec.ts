/** A run of a quarter of a million entries: computed in sight, stopped and gone on with, and used like any other. */
import { expect, type Page, test } from "@playwright/test";
import { longRun } from "../scripts/long-run.mjs";
import { runScenario } from "../src/engine/run.ts";
import { scenarioFrom } from "../src/scenario/parse.ts";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

/** What the engine's worker has to say of its turns; it takes none while it is held. */
interface Gate {
  held: boolean;
  readonly waiting: (() => void)[];
}

/** Lets the engine's worker take only the turns that the test gives it, so that no machine is too fast to be looked at. */
class Turns {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  private engine() {
    const worker = this.page.workers().find((each) => each.url().includes("entry"));
    if (worker === undefined) throw new Error("no engine");
    return worker;
  }

  async hold(): Promise<void> {
    await this.engine().evaluate(() => {
      const gate: Gate = { held: true, waiting: [] };
      Object.assign(globalThis, { gate });
      const postMessage = Reflect.get(MessagePort.prototype, "postMessage") as (
        this: MessagePort,
        what: unknown,
      ) => void;
      MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown): void {
        const post = (): void => postMessage.call(this, message);
        if (gate.held) gate.waiting.push(post);
        else post();
      };
    });
  }

  async take(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++)
      await this.engine().evaluate(() => (Reflect.get(globalThis, "gate") as Gate).waiting.shift()?.());
  }

  async release(): Promise<void> {
    await this.engine().evaluate(() => {
      const gate = Reflect.get(globalThis, "gate") as Gate;
      gate.held = false;
      for (const post of gate.waiting.splice(0)) post();
    });
  }
}

const SOON = { intervals: [50] };
const LONG = { timeout: 120_000 };
const eventsIn = (words: string): number => Number(/([\d,]+) events/.exec(words)?.[1]?.replaceAll(",", ""));

test("a long run shows how far it is, is stopped and gone on with; its end, a step back and the log's filter answer", async ({
  page,
}) => {
  const source = longRun(27_500);
  const read = scenarioFrom(source);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { report, log } = runScenario(read.value);
  expect(report.steps).toBeGreaterThan(250_000);
  const said: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.message));

  const app = new AppPage(page);
  const turns = new Turns(page);
  await app.visitedBefore();
  await page.goto("/");
  await app.idle();
  await turns.hold();
  await page.getByTestId("file").setInputFiles({
    name: "long-run.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(source)),
  });
  // It is open, and how far it is can be seen while it is computed.
  const job = page.locator(".job-chip");
  await expect
    .poll(async () => {
      await turns.take(1);
      return job.innerText();
    }, SOON)
    .toContain("long-run");
  const computing = page.locator(".computing");
  await expect(computing).toContainText(/^Computing: [\d,]+ events, up to /);
  const bar = computing.getByRole("progressbar", { name: "Computing the run" });
  const before = eventsIn(await computing.innerText());
  await expect
    .poll(async () => {
      await turns.take(1);
      return eventsIn(await computing.innerText());
    }, SOON)
    .toBeGreaterThan(before);
  const share = Number(await bar.getAttribute("value"));
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(1);
  expect(await problems(page)).toEqual([]);

  await computing.getByRole("button", { name: "Cancel" }).click();
  await turns.release();
  await expect(computing).toContainText(/^Stopped after [\d,]+ events, at [\d.]+ s\. There is no verdict yet\./);
  const stopped = eventsIn(await computing.innerText());
  expect(stopped).toBeLessThan(report.steps);
  // What stands there until somebody goes on covers nothing of the picture.
  const [told, picture] = [await computing.boundingBox(), await page.locator(".stage-place").boundingBox()];
  expect(told?.y).toBeGreaterThanOrEqual((picture?.y ?? Infinity) + (picture?.height ?? 0));
  // What there is can be looked at.
  await app.toEnd();
  expect(await app.event()).toBe(stopped - 1);
  await expect(computing).toContainText(`Stopped after ${stopped.toLocaleString("en")} events`);

  await computing.getByRole("button", { name: "Go on" }).click();
  const last = (report.steps - 1).toLocaleString("en");
  await expect(page.locator(".position-step")).toHaveText(
    `event ${(stopped - 1).toLocaleString("en")} / ${last}`,
    LONG,
  );
  await expect(page.locator("html")).toHaveAttribute("data-idle", "true", LONG);
  await app.toEnd();
  expect(await app.event()).toBe(report.steps - 1);
  await expect(app.badge()).toHaveText("OK");
  await app.press(",");
  expect(await app.event()).toBe(report.steps - 2);
  await expect(app.sentence).not.toBeEmpty();
  await app.press(".");
  expect(await app.event()).toBe(report.steps - 1);

  await app.tab("Event log");
  await page.getByRole("searchbox", { name: "Words in the event" }).fill("TaskFailed");
  const row = page.getByRole("table", { name: "Event log" }).getByRole("row").nth(1);
  await expect(row).toContainText("TaskFailed");
  await row.getByRole("button", { name: /^Go to event/ }).click();
  await app.idle();
  await expect(app.sentence).toContainText("total[1]");
  const failed = await app.event();
  expect(log.clock(failed)).toBe(report.recoveries[0]?.at);
  expect(said).toEqual([]);
});
