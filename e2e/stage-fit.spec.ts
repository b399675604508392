/** Nothing of the picture lies under the stage's own buttons, however large the job is. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

/** Twenty vertices: four lines of five that cross. */
function twenty(): object {
  const lines = [0, 1, 2, 3];
  const stages = ["in", "clean", "join", "sum", "out"] as const;
  const types = ["kafka-source", "map", "union", "keyed-sum", "kafka-sink"] as const;
  const ships = ["forward", "rebalance", "hash", "forward"] as const;
  return {
    format: 1,
    title: { en: "Four lines of five" },
    job: {
      vertices: lines.flatMap((line) =>
        stages.map((stage, index) => ({
          uid: `${stage}${line}`,
          type: types[index],
          parallelism: 2,
          ...(index === 0 ? { topic: `in${line}` } : { chain: false }),
          ...(index === 4 ? { topic: `out${line}`, delivery: "at-least-once" } : {}),
        })),
      ),
      edges: lines.flatMap((line) => [
        ...ships.map((ship, index) => ({ from: `${stages[index]}${line}`, to: `${stages[index + 1]}${line}`, ship })),
        { from: `clean${line}`, to: `join${(line + 1) % 4}`, ship: "rebalance" },
      ]),
    },
    cluster: { taskManagers: 2, slots: 1 },
    topics: Object.fromEntries(
      lines.flatMap((line) => [
        [`in${line}`, { partitions: 2, records: 16, every: "100 ms", keys: 4 }],
        [`out${line}`, { partitions: 2 }],
      ]),
    ),
    config: { "execution.checkpointing.interval": "300 ms" },
    until: { time: "900 ms" },
  };
}

interface Sized {
  readonly job?: { readonly vertices: readonly { readonly parallelism?: number }[] };
}

/** The scenarios of the repository with the most subtasks, by title and text. */
function largest(count: number): { readonly title: string; readonly text: string }[] {
  const sizeOf = ({ job }: Sized): number =>
    (job?.vertices ?? []).reduce((sum, each) => sum + (each.parallelism ?? 1), 0);
  return readdirSync("scenarios", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".scenario.json"))
    .map((file) => readFileSync(`scenarios/${file}`, "utf8"))
    .map((text) => ({ text, scenario: JSON.parse(text) as Sized & { readonly title: { readonly en: string } } }))
    .toSorted((a, b) => sizeOf(b.scenario) - sizeOf(a.scenario))
    .slice(0, count)
    .map(({ text, scenario }) => ({ text, title: scenario.title.en }));
}

async function openText(page: Page, title: string, text: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page
    .getByTestId("file")
    .setInputFiles({ name: "a.scenario.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await expect(page.locator(".scenario-title")).toContainText(title);
  await app.button("Pause").click();
  await app.idle();
  await app.press("n");
  return app;
}

/** What of the picture lies under a control of the stage that is in sight. */
async function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxOf = (node: Element): DOMRect => node.getBoundingClientRect();
    const controls = [...document.querySelectorAll("#stage .stage-zoom, #stage .stage-map")]
      .filter((node) => node.checkVisibility())
      .map(boxOf);
    const drawn = [...document.querySelectorAll("#stage .world :is(text, rect, path, line, circle)")].filter(
      (node) => node.closest(".layer-channels, .layer-regions, defs") === null && boxOf(node).width > 0,
    );
    const touch = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return drawn
      .filter((node) => controls.some((control) => touch(boxOf(node), control)))
      .map((node) => `${node.tagName}.${node.getAttribute("class") ?? ""} ${node.textContent}`);
  });
}

const graphs = [{ title: "Four lines of five", text: JSON.stringify(twenty()) }, ...largest(2)];

for (const size of [
  { width: 1440, height: 900 },
  { width: 1100, height: 800 },
  { width: 390, height: 844 },
])
  for (const { title, text } of graphs)
    test(`${title} at ${size.width}: no button lies on the picture when it is fitted`, async ({ page }) => {
      await page.setViewportSize(size);
      const app = await openText(page, title, text);
      await app.button("Fit to the stage").click();
      await expect(page.locator(".stage-map").filter({ visible: true })).toHaveCount(0);
      expect(await covered(page)).toEqual([]);
    });

test("at first, where the picture is larger than its room, the buttons lie on nothing, and what the map covers can be panned out", async ({
  page,
}) => {
  const { title, text } = graphs[0] ?? { title: "", text: "" };
  await openText(page, title, text);
  const buttons = await page.locator(".stage-zoom").boundingBox();
  const strip = await page.locator('[data-element="jobManager"]').boundingBox();
  expect(buttons === null || strip === null ? 0 : strip.x + strip.width).toBeLessThan(buttons?.x ?? 0);
  const map = page.locator(".stage-map");
  await expect(map).toBeVisible();
  await page.mouse.move(600, 300);
  await page.mouse.wheel(3000, 3000);
  await expect
    .poll(async () => {
      const [shown, outside] = [
        await map.boundingBox(),
        await page.locator('[data-kind="output"]').last().boundingBox(),
      ];
      return shown !== null && outside !== null && outside.y + outside.height <= shown.y;
    })
    .toBe(true);
});

/** All that the graph and its strips consist of, whatever the order in which attributes were written. */
function drawn({ page }: AppPage): Promise<string> {
  return page.evaluate(() => {
    const told = (node: Element): string => {
      const attributes = [...node.attributes]
        .filter(({ name, value }) => name !== "tabindex" && !(name === "style" && value === ""))
        .map(({ name, value }) => `${name}=${value}`)
        .toSorted();
      const inner = node.childElementCount > 0 ? [...node.children].map(told).join("\n") : node.textContent;
      return `${node.localName} ${attributes.join(" ")}\n${inner}`;
    };
    return [...document.querySelectorAll("#stage .world")].map(told).join("\n");
  });
}

test("the picture is of its moment alone: drawn over other moments it is the same as drawn anew", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  await app.element("subtask:total[1]").focus();
  await page.keyboard.press("f");
  await page.getByRole("menuitem", { name: /^Throw exception/ }).click();
  await app.idle();
  const slider = page.getByRole("slider", { name: "Position in the run" });
  const total = Number(await slider.getAttribute("max"));
  for (const share of [0.31, 0.93, 0.07, 0.58, 0.66]) {
    await slider.fill(String(total * share));
    await app.idle();
  }
  await app.press(",");
  await app.press(".");
  const after = await drawn(app);
  // What else writes into a mark, a number that rolls say, is drawn over as well.
  await page.evaluate(() => {
    for (const node of document.querySelectorAll("#stage .layer-outputs .log-value")) {
      node.textContent = "?";
      node.setAttribute("y", "0");
    }
  });
  expect(await drawn(app)).not.toBe(after);
  for (const share of [0.2, 0.66]) {
    await slider.fill(String(total * share));
    await app.idle();
  }
  await app.press(",");
  await app.press(".");
  expect(await drawn(app)).toBe(after);
  expect(after.length).toBeGreaterThan(10_000);
  await page.evaluate(() => {
    for (const layer of document.querySelectorAll("#stage .world > .layer"))
      if ([...layer.children].every(({ localName }) => localName === "g")) layer.replaceChildren();
  });
  expect((await drawn(app)).length).toBeLessThan(after.length / 2);
  await app.press(",");
  await app.press(".");
  expect(await drawn(app)).toBe(after);
});
