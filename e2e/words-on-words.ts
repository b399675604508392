/** What on the stage can be read: words that are written over other words cannot. */
import type { Page } from "@playwright/test";

/**
 * Not flags, which stand one behind the other where two barriers are at one place, nor the name of an exchange, which
 * stands beside its sender whatever comes there.
 */
const apart = ":not(.flag-numeral, .edge-ship)";

export async function wordsOnWords(page: Page): Promise<string[]> {
  return page.evaluate((which) => {
    const boxes = [...document.querySelectorAll(`#stage svg text${which}`)]
      .filter((text) => text.textContent.trim() !== "" && text.checkVisibility({ opacityProperty: true }))
      .map((text): [string, DOMRect] => [text.textContent, text.getBoundingClientRect()]);
    // A line is higher than its letters, and a pixel or two is nothing.
    return boxes.flatMap(([name, a], index) =>
      boxes
        .slice(index + 1)
        .filter(([, b]) => a.left + 2 < b.right && b.left + 2 < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom)
        .map(([other]) => `${name} | ${other}`),
    );
  }, apart);
}
