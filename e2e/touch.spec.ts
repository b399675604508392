import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";

test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

test("a tap selects and offers to fail, a long press asks at once, one finger scrolls the page", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").tap();
  await expect(app.element("subtask:total[1]")).toHaveAttribute("aria-current", "true");
  await app.stage.getByRole("button", { name: /^Fail total\[1\]/ }).tap();
  await page.getByRole("menuitem", { name: /Throw exception/ }).tap();
  await app.idle();
  await expect(app.sentence).toContainText("Fault: total[1]");

  const box = await app.element("subtask:total[0]").boundingBox();
  if (box === null) throw new Error("total[0] is not drawn");
  const touch = await page.context().newCDPSession(page);
  const finger = { x: box.x + 30, y: box.y + 20 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [finger] });
  await expect(page.getByRole("menu")).toContainText("total[0]");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");

  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 200, y: 600 }] });
  for (let y = 580; y > 260; y -= 20) {
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: 200, y }] });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
});
