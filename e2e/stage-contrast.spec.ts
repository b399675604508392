/** High contrast: what others hatch is solid, with a letter, and the legend says the same. */
import { expect, type Page, test } from "@playwright/test";
import { AppPage } from "./app.ts";

/** What is drawn hatched: on the stage by a pattern, in the panels by a gradient. */
async function hatched(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("#stage svg *, .dock *, .transport *")].flatMap((node) => {
      if (!node.checkVisibility() || node.closest("defs") !== null) return [];
      const { fill, backgroundImage } = getComputedStyle(node);
      const has = fill.includes("url(") || backgroundImage.includes("repeating");
      return has ? [node.getAttribute("class") ?? node.localName] : [];
    }),
  );
}

for (const theme of ["light", "contrast"] as const)
  test(`${theme}: uncommitted records, a blocked channel and a failed checkpoint ${theme === "light" ? "are hatched" : "are solid, with a letter"}`, async ({
    page,
  }) => {
    await page.addInitScript(
      (chosen) => localStorage.setItem("barrierscope.settings", JSON.stringify({ visited: true, theme: chosen })),
      theme,
    );
    const app = new AppPage(page);
    await app.open();
    await app.loseAcknowledgement();
    await app.stepUntil(/stops reading/, ".", 200);
    await expect(page.locator(".tray-hatch")).toHaveCount(1);
    await expect(page.locator(".span.checkpoint.failed")).toHaveCount(1);
    await expect(page.locator(".layer-legend")).toContainText("not committed yet");
    const solid = theme === "contrast";
    await expect(page.locator(".layer-outputs .hatch-letter")).toHaveText(solid ? ["U"] : []);
    await expect(page.locator(".layer-legend .hatch-letter")).toHaveText(solid ? ["U"] : []);
    const found = await hatched(page);
    if (solid) expect(found).toEqual([]);
    else for (const name of ["log-hatch", "tray-hatch", "task-manager-hatch"]) expect(found).toContain(name);
  });
