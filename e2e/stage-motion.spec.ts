/** What moves on the stage and what does not, as a person sees it. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

/** Of the stage's canvas: pixels in the colour of what has gone wrong, and how low the lowest of them is. */
async function crossed(page: Page): Promise<{ readonly pixels: number; readonly low: number }> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("#stage .stage-moving");
    const host = document.querySelector<HTMLElement>("#stage .stage");
    if (canvas === null || host === null) throw new Error("no stage");
    const probe = document.createElement("i");
    probe.style.color = "var(--danger)";
    host.append(probe);
    const wanted = /\d+/g[Symbol.match](getComputedStyle(probe).color)?.map(Number) ?? [];
    probe.remove();
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
  });
}

/** To the moment at which an acknowledgement of total[1] is lost. */
async function loses(page: Page, motion: "reduce" | "no-preference"): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page.emulateMedia({ reducedMotion: motion });
  await app.press("n");
  await app.stepUntil(/heckpoint 2/);
  await app.element("subtask:total[1]").click({ position: { x: 24, y: 14 } });
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Lose its next acknowledgement/ }).click();
  await app.idle();
  await app.stepUntil(/^The acknowledgement of checkpoint 2 .* is lost/, ".", 200);
  return app;
}

test("CP-129a: an acknowledgement that is lost falls off its way with a cross, and the legend says what it is", async ({
  page,
}) => {
  const app = await loses(page, "no-preference");
  await expect(page.locator(".layer-legend")).toContainText("a message is lost");
  expect((await crossed(page)).pixels).toBe(0);
  await app.speed("0.25");
  await app.button("Play").click();
  await expect.poll(async () => (await crossed(page)).pixels, { intervals: [50] }).toBeGreaterThan(20);
  const first = await crossed(page);
  await expect.poll(async () => (await crossed(page)).low, { intervals: [50] }).toBeGreaterThan(first.low + 12);
  // It does not lie there for ever: when it would have arrived it is gone.
  await expect.poll(async () => (await crossed(page)).pixels).toBe(0);
});

test("without motion it lies beside its way at once, and still does a moment later", async ({ page }) => {
  const app = await loses(page, "reduce");
  await expect.poll(async () => (await crossed(page)).pixels).toBeGreaterThan(20);
  const lies = await crossed(page);
  await page.waitForTimeout(300);
  expect(await crossed(page)).toEqual(lies);
  await app.press(",");
  await expect.poll(async () => (await crossed(page)).pixels).toBe(0);
});
