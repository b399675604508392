/** No words of the stage are written over others, at any moment, in any window. */
import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { wordsOnWords } from "./words-on-words.ts";

const scenarios = ["Kafka to Kafka, exactly once", "One slow sink", "Part files", "One line", "A savepoint between"];

for (const [width, height] of [
  [1440, 900],
  [1000, 800],
  [390, 844],
] as const)
  test(`at ${width} px what stands on the stage stands apart, while it runs and at its end`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const app = new AppPage(page);
    await app.open();
    for (const scenario of scenarios)
      await test.step(scenario, async () => {
        await app.button(/^Scenario:/).click();
        await page.getByRole("menuitem", { name: scenario }).first().click();
        await app.button("Pause").click();
        await app.press("Home");
        for (const key of [">", ">", ">", "n", ">", ">", ">", ">", ">", "n", "n", ">", ">", ">", "End"]) {
          await app.press(key);
          expect(await wordsOnWords(page), `event ${await app.event()}`).toEqual([]);
        }
      });
  });
