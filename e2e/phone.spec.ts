/** The page on a phone, as a thumb finds it. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

const panels = [
  "Space–time",
  "Timeline",
  "Selected",
  "Checkpoints",
  "Event log",
  "Ledger",
  "Branches",
  "Kill sweep",
  "Outline",
  "Breakpoints",
  "Exceptions",
];

async function opened(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await expect(app.bar("Stage")).toHaveAttribute("aria-current", "page");
  return app;
}

/** What is wider than the page, or scrolls sideways; the stage may. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((node) => {
      if (node.closest("#stage, svg, thead, .visually-hidden, .skip-link") !== null || !node.checkVisibility())
        return false;
      const { left, right } = node.getBoundingClientRect();
      const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
      return left < -1 || right > width + 1 || (scrolls && node.scrollWidth > node.clientWidth + 1);
    });
    return out.map((node) => `${node.tagName} ${node.className} ${node.textContent.slice(0, 30)}`);
  });
}

/** Controls that a finger would miss. */
async function tooSmall(within: Locator): Promise<string[]> {
  return within
    .locator("button:not(.link-button, .menu-anchor), select, [role=tab], [role=menuitem]")
    .evaluateAll((nodes) =>
      nodes.flatMap((node) => {
        const { width, height } = node.getBoundingClientRect();
        const missed = node.checkVisibility() && (width < 43.5 || height < 43.5);
        return missed ? [`${node.className} ${node.textContent.slice(0, 20)} ${width} × ${height}`] : [];
      }),
    );
}

test("the bar leads from the stage to time, what is selected and all the rest, and back to the same place", async ({
  page,
}) => {
  const app = await opened(page);
  await expect(page.getByRole("tablist", { name: "Panels" })).toHaveCount(0);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const left = await page.evaluate(() => scrollY);

  await app.bar("Time").tap();
  await expect(page.getByRole("tab")).toHaveText(["Space–time", "Timeline"]);
  await expect(page.getByRole("tab", { name: "Space–time" })).toHaveAttribute("aria-selected", "true");
  await expect(app.stage).toBeHidden();
  await page.getByRole("tab", { name: "Timeline" }).tap();
  await expect(page.locator(".timeline")).toBeVisible();

  await app.bar("Stage").tap();
  await expect(app.stage).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await app.bar("Time").tap();
  await expect(page.getByRole("tab", { name: "Timeline" })).toHaveAttribute("aria-selected", "true");
});

test("a tap selects and stays on the stage, Inspect tells of it with what just happened, and Why asks from the stage", async ({
  page,
}) => {
  const app = await opened(page);
  await app.element("subtask:total[1]").tap();
  await expect(app.element("subtask:total[1]")).toHaveAttribute("aria-current", "true");
  await expect(app.bar("Stage")).toHaveAttribute("aria-current", "page");
  await app.bar("Inspect").tap();
  await expect(page.locator(".inspector-name")).toHaveText("total[1]");
  await expect(app.sentence).toBeVisible();
  await app.bar("Stage").tap();
  await app.button("Why?").tap();
  await expect(app.bar("Inspect")).toHaveAttribute("aria-current", "page");
  await expect(page.locator("#why")).toHaveAttribute("aria-expanded", "true");
});

test("the failure tool: the next tap asks what should go wrong there, in a sheet at the bottom that leaves it in sight", async ({
  page,
}) => {
  const app = await opened(page);
  await app.bar("Inspect").tap();
  await app.bar("Fail").tap();
  await expect(app.bar("Fail")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("Tap what is to fail")).toBeVisible();
  await app.element("subtask:total[0]").tap();
  const sheet = page.getByRole("menu", { name: /^total\[0\]/ });
  await expect(sheet).toBeVisible();
  await expect(app.bar("Fail")).toHaveAttribute("aria-pressed", "false");
  await expect
    .poll(async () => {
      const [low, element] = [await sheet.boundingBox(), await app.element("subtask:total[0]").boundingBox()];
      return low !== null && element !== null && element.y >= 0 && element.y + element.height <= low.y;
    })
    .toBe(true);
  // It rises first.
  await expect
    .poll(async () => {
      const box = await page.locator(".fault-menu").boundingBox();
      return box === null ? [] : [box.x, box.width, box.y + box.height];
    })
    .toEqual([0, 390, 844]);
  expect(await tooSmall(sheet)).toEqual([]);
  await sheet.getByRole("menuitem", { name: /^Throw exception The/ }).tap();
  await app.idle();
  await expect(app.sentence).toContainText("Fault: total[0]");
  await expect(app.branch(/^fail total\[0\]/)).toHaveAttribute("aria-pressed", "true");
});

test("the failure tool works by key, tells when nothing can fail, and is put away by Escape", async ({ page }) => {
  const app = await opened(page);
  await app.bar("Fail").press("Enter");
  await app.element("subtask:total[0]").press("Enter");
  await expect(page.getByRole("menu", { name: /^total\[0\]/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await app.bar("Fail").tap();
  await app.stage.tap({ position: { x: 4, y: 300 } });
  await expect(page.getByText("Nothing can fail there")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(app.bar("Fail")).toHaveAttribute("aria-pressed", "false");
});

test("the panel that is open is open again at the next visit", async ({ page }) => {
  const app = await opened(page);
  await app.tab("Ledger");
  await expect(app.bar("More")).toHaveAttribute("aria-current", "page");
  await app.addressed();
  await page.reload();
  await expect(page.getByRole("tab", { name: "Ledger" })).toBeVisible();
  await expect(app.bar("More")).toHaveAttribute("aria-current", "page");
  await expect(app.stage).toBeHidden();
});

test("every command is there without a keyboard: the list leads to wider steps and to everything by name", async ({
  page,
}) => {
  const app = await opened(page);
  await app.element("subtask:total[1]").tap();
  await app.bar("More").tap();
  await page.getByRole("button", { name: "Find and do…" }).tap();
  await page.getByRole("combobox", { name: "Name of an action or a thing" }).fill("Trigger");
  await page
    .getByRole("option", { name: /checkpoint/i })
    .first()
    .tap();
  await app.idle();
  await expect(app.sentence).toContainText("checkpoint");
  await app.bar("More").tap();
  await page.getByRole("button", { name: "Back one checkpoint" }).tap();
  await app.idle();
  await expect(app.sentence).toContainText("Checkpoint 1 is complete");
});

for (const width of [320, 390])
  test(`at ${width} nothing is wider than the page and everything can be hit: stage, each panel, the list, a fault menu`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const app = await opened(page);
    await app.element("subtask:total[1]").tap();
    await app.stage.getByRole("button", { name: /^Fail total\[1\]/ }).tap();
    expect(await tooWide(page)).toEqual([]);
    await page.getByRole("menuitem", { name: /^Throw exception The/ }).tap();
    await app.idle();
    await app.stepUntil(/Restart 1 is granted/);
    expect(await tooWide(page), "stage").toEqual([]);
    expect(await tooSmall(page.locator(".app")), "stage").toEqual([]);
    for (const panel of panels) {
      await app.tab(panel);
      await expect(page.locator(".panel > *").first()).toBeVisible();
      await expect.poll(() => tooWide(page), panel).toEqual([]);
    }
    for (const panel of ["Selected", "Checkpoints", "Ledger", "Kill sweep", "Breakpoints", "Outline"]) {
      await app.tab(panel);
      await expect(page.locator(".panel > *").first()).toBeVisible();
      expect(await tooSmall(page.locator(".app")), panel).toEqual([]);
    }
  });

for (const theme of ["light", "dark"] as const)
  test(`nothing that axe knows of is wrong on a phone in ${theme}: stage, panels, sheets and the failure tool`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    const app = await opened(page);
    expect(await problems(page)).toEqual([]);
    await app.bar("Fail").tap();
    expect(await problems(page), "failure tool").toEqual([]);
    await app.element("subtask:total[1]").tap();
    await expect(page.getByRole("menu")).toBeVisible();
    expect(await problems(page), "fault menu").toEqual([]);
    await page.getByRole("menuitem", { name: /^Throw exception The/ }).tap();
    await app.idle();
    await app.stepUntil(/Restart 1 is granted/);
    // The others are what they are on a desk: `accessibility.spec.ts` has them.
    for (const panel of ["Space–time", "Selected", "Checkpoints"]) {
      await app.tab(panel);
      await expect(page.locator(".panel > *").first()).toBeVisible();
      expect(await problems(page), panel).toEqual([]);
    }
    await app.bar("More").tap();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await problems(page), "list").toEqual([]);
  });
