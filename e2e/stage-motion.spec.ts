/** What moves on the stage and what does not, as a person sees it. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

interface Crossed {
  /** Of the stage's canvas: pixels in the colour of what has gone wrong. */
  readonly pixels: number;
  /** How low the lowest of them is. */
  readonly low: number;
}

/** What is crossed now; `untilGone`: with each frame, from now until there was some and there is none any more. */
async function crossed(page: Page, untilGone = false): Promise<Crossed[]> {
  return page.evaluate(async (goOn) => {
    const canvas = document.querySelector<HTMLCanvasElement>("#stage .stage-moving");
    const host = document.querySelector<HTMLElement>("#stage .stage");
    if (canvas === null || host === null) throw new Error("no stage");
    const probe = document.createElement("i");
    probe.style.color = "var(--danger)";
    host.append(probe);
    const wanted = /\d+/g[Symbol.match](getComputedStyle(probe).color)?.map(Number) ?? [];
    probe.remove();
    const look = (): { pixels: number; low: number } => {
      const { data, width } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let [pixels, low] = [0, 0];
      for (let i = 0; i < data.length; i += 4)
        if (
          (data[i + 3] ?? 0) > 200 &&
          [0, 1, 2].every((part) => Math.abs((data[i + part] ?? 0) - (wanted[part] ?? 0)) < 6)
        ) {
          pixels++;
          low = Math.floor(i / 4 / width) / devicePixelRatio;
        }
      return { pixels, low };
    };
    const seen = [look()];
    while (goOn && (seen.at(-1)?.pixels !== 0 || seen.every(({ pixels }) => pixels === 0))) {
      await new Promise(requestAnimationFrame);
      seen.push(look());
    }
    return seen;
  }, untilGone);
}

/** How much is crossed now. */
async function crossedNow(page: Page): Promise<number | undefined> {
  return (await crossed(page))[0]?.pixels;
}

/** To the moment at which an acknowledgement of total[1] is lost. */
async function loses(page: Page, motion: "reduce" | "no-preference"): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page.emulateMedia({ reducedMotion: motion });
  await app.loseAcknowledgement();
  await app.stepUntil(/^The acknowledgement of checkpoint 2 .* is lost/, ".", 200);
  return app;
}

test("CP-129a: an acknowledgement that is lost falls off its way with a cross, and the legend says what it is", async ({
  page,
}) => {
  const app = await loses(page, "no-preference");
  await expect(page.locator(".layer-legend")).toContainText("a message is lost");
  expect(await crossedNow(page)).toBe(0);
  await app.speed("0.25");
  // Every frame is looked at: a slow machine shows fewer of them, and never skips the fall.
  const frames = crossed(page, true);
  await app.button("Play").click();
  const falls = (await frames).filter(({ pixels }) => pixels > 20).map(({ low }) => low);
  expect(Math.max(...falls)).toBeGreaterThan((falls[0] ?? Infinity) + 12);
  // It does not lie there for ever: when it would have arrived it is gone.
  expect(await crossedNow(page)).toBe(0);
});

test("without motion it lies beside its way at once, and still does a moment later", async ({ page }) => {
  const app = await loses(page, "reduce");
  await expect.poll(() => crossedNow(page)).toBeGreaterThan(20);
  const lies = await crossed(page);
  await page.waitForTimeout(300);
  expect(await crossed(page)).toEqual(lies);
  await app.press(",");
  await expect.poll(() => crossedNow(page)).toBe(0);
});

/** Checkpoint 2 never completes, so what is pre-committed for it waits for the log's timeout. */
async function waits(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const scenario = JSON.parse(await area.inputValue()) as {
    job: { vertices: { uid: string; properties?: object }[] };
    broker: { [key: string]: string };
    faults?: object[];
  };
  for (const vertex of scenario.job.vertices)
    if (vertex.uid === "out") vertex.properties = { "transaction.timeout.ms": "3 s" };
  scenario.broker["transaction.abort.timed.out.transaction.cleanup.interval.ms"] = "500 ms";
  const lost = { do: "lose-rpc", rpc: "ack", target: "total[1]" };
  scenario.faults = [{ at: { after: "CheckpointTriggered", checkpoint: 2 }, ...lost }];
  await area.fill(JSON.stringify(scenario));
  await app.button("Run this scenario").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await app.button("Pause").click();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
  await app.press("n");
  await app.stepUntil(/heckpoint 2/);
  await app.stepUntil(/^out\[0\] pre-commits/, ".", 200);
  return app;
}

/** What is left of each arc, as a share of its circle. */
async function arcs(page: Page): Promise<number[]> {
  const dashes = await page
    .locator(".layer-timeouts .timeout-arc")
    .evaluateAll((nodes) => nodes.map((node) => Number(node.getAttribute("stroke-dasharray")?.split(" ")[0])));
  return dashes;
}

test("KF-013: an arc around a transaction shrinks until the log gives it up, with the seconds left beside it", async ({
  page,
}) => {
  const app = await waits(page);
  const left = page.locator(".timeout-left");
  await expect(left).toHaveText("3 s");
  const [first = 0] = await arcs(page);
  expect(first).toBeGreaterThan(0.6);
  expect(first).toBeLessThan(0.8);
  await expect(page.locator(".layer-legend")).toContainText("until its timeout");
  await expect(app.element("transaction:out-0-2")).toHaveAttribute(
    "aria-label",
    /PRE_COMMITTED.*times out at 4\.0\d\d s/,
  );
  // The next transaction has its own, and what is told is of the one that runs out first.
  await app.stepUntil(/^out\[0\] writes/, ".", 200);
  await expect(left).toHaveText("P 2 s");
  const both = await arcs(page);
  expect(both).toHaveLength(2);
  expect(both[0]).toBeLessThan(first);
  expect(both[1]).toBeGreaterThan(0.9);
  await app.stepUntil(/gives up|given up|timed out/i, ">", 60);
  await expect(app.element("transaction:out-0-2")).toHaveAttribute("aria-label", /TIMED_OUT/);
  expect(await arcs(page)).toHaveLength(1);
});

test("without motion the arc stands between two whole seconds", async ({ page }) => {
  const app = await waits(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.stepUntil(/^out\[0\] writes/, ".", 200);
  await expect(page.locator(".timeout-left")).toHaveText("P 2 s");
  const both = await arcs(page);
  expect(both.map((share) => Math.round(share * 1000))).toEqual([667, 1000]);
});
