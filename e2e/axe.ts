/** What axe finds on the page against WCAG 2.2 AA: a line for each element, with what would mend it. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export async function problems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}
