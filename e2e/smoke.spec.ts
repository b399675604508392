import { expect, test } from "@playwright/test";

test("the built page opens and says its name", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/Barrierscope/);
});
