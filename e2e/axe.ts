/** What axe finds on the page against WCAG 2.2 AA: a line for each element, with what would mend it. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Nothing fades in while axe looks: what opens is judged as it will stand, however slowly this machine draws it. In the
 * middle of its 140 ms a dialog has a contrast of 1.4, and a scan lands there only when the machine is busy.
 */
function hold(page: Page): Promise<void> {
  return page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important; }");
    document.adoptedStyleSheets.push(still);
  });
}

function release(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.adoptedStyleSheets.pop();
  });
}

export async function problems(page: Page): Promise<string[]> {
  await hold(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  await release(page);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}
