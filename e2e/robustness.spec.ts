import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";
import { problems } from "./axe.ts";

test("a bad scenario is told beside the field, and the run that was open stays", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  const before = await app.event();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const text = await area.inputValue();
  await area.fill(text.replace(/"parallelism": 2/, '"parallelism": "many"'));
  await app.button("Run this scenario").click();
  await expect(page.getByRole("alert")).toContainText("job.vertices[0].parallelism");
  await expect(page.getByRole("alert")).toContainText("many");
  await page.keyboard.press("Escape");
  await app.idle();
  expect(await app.event()).toBe(before);
});

test("a file that is no scenario is refused with its place, and can be edited", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByTestId("file").setInputFiles({
    name: "mine.json",
    mimeType: "application/json",
    buffer: Buffer.from('{ "format": 1, "jobb": {} }'),
  });
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("mine.json was not opened");
  await expect(alert).toContainText("jobb");
  await alert.getByRole("button", { name: "Edit it" }).click();
  await expect(page.getByRole("textbox", { name: "Scenario as JSON" })).toHaveValue(/jobb/);
});

test("a scenario of one's own runs, with a banner where it breaks a rule on purpose", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.button(/^Scenario:/).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const scenario = JSON.parse(await area.inputValue()) as Record<string, unknown>;
  await area.fill(JSON.stringify({ ...scenario, id: "mine", broken: ["commit-at-barrier"] }));
  await app.button("Run this scenario").click();
  await expect(page.getByRole("note").filter({ hasText: "breaks a rule on purpose" })).toContainText(
    "commit at the barrier",
  );
});

test("the engine runs in a worker named engine, and the main bundle holds nothing of it", async ({ page, request }) => {
  const app = new AppPage(page);
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script" && response.frame() === page.mainFrame())
      scripts.push(response.url());
  });
  await app.open();
  const worker = page.workers().find((each) => each.url().includes("entry"));
  expect(await worker?.evaluate(() => self.name)).toBe("engine");
  const html = await (await request.get("/")).text();
  const main = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? "");
  const texts = await Promise.all(
    [...new Set([...main, ...scripts.filter((url) => !url.includes("entry"))])].map(async (url) =>
      (await request.get(url)).text(),
    ),
  );
  const engine = await (await request.get(worker?.url() ?? "")).text();
  // Words of an assertion that only the engine's code holds.
  const marker = "a branch can be stepped again to where it was";
  expect(engine).toContain(marker);
  for (const text of texts) expect(text).not.toContain(marker);
});

test("when the worker dies the app stays usable, shows what it takes to see it again, and restarts at the same place", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.element("subtask:total[1]").click();
  await page.keyboard.press("F");
  await page.getByRole("menuitem", { name: /Throw exception/ }).click();
  await app.idle();
  const before = await app.event();
  const worker = page.workers().find((each) => each.url().includes("entry"));
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error("boom");
    });
  });
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("boom");
  const report = JSON.parse(await dialog.getByRole("textbox").inputValue()) as {
    step: number;
    decisions: unknown[];
    scenario: { id: string };
  };
  expect(report).toMatchObject({
    step: before,
    decisions: [{ command: { do: "fail-task", target: "total[1]" } }],
    scenario: { id: "order-totals" },
  });

  await dialog.getByRole("button", { name: "Close" }).last().click();
  await app.press(",");
  expect(await app.event()).toBe(before - 1);
  await app.press("c");
  await expect(app.branch(/^trigger checkpoint at/)).toHaveAttribute("aria-pressed", "true");
});

test("restarting after a death brings the branches back", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.press("n");
  await app.press("c");
  await expect(app.branch(/^trigger checkpoint at/)).toHaveAttribute("aria-pressed", "true");
  const before = await app.event();
  const worker = page.workers().find((each) => each.url().includes("entry"));
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error("boom");
    });
  });
  await page.getByRole("button", { name: "Restart at the last good step" }).click();
  await app.idle();
  expect(await app.event()).toBe(before);
  await expect(app.branch(/^trigger checkpoint at/)).toHaveAttribute("aria-pressed", "true");
});

test("a part that cannot be fetched is told and takes nothing with it; when it can be, it opens", async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.stepUntil(/Checkpoint 1 is complete/);
  const sentence = await app.sentence.innerText();
  const event = await app.event();
  await page.route(/legend-dialog.*\.js/, (route) => route.abort());
  await page.keyboard.press("Shift+K");
  const told = page.locator("output.banner");
  await expect(told).toContainText("A part of this page could not be fetched.");
  await expect(app.sentence).toHaveText(sentence);
  expect(await problems(page)).toEqual([]);
  await told.getByRole("button", { name: "Close" }).click();
  await app.press(".");
  expect(await app.event()).toBe(event + 1);
  await page.unroute(/legend-dialog.*\.js/);
  await page.keyboard.press("Shift+K");
  await expect(page.getByRole("dialog", { name: "Legend" })).toBeVisible();
});

test("what needs code that cannot be fetched is not done, and that is told: the page does not go on being busy", async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  const told = page.locator("output.banner");
  const away = /(opening|stop-keys).*\.js/;
  await page.route(away, (route) => route.abort());
  await page.locator("#stage").focus();
  const asks = [
    () => page.getByRole("combobox", { name: "Sink delivery" }).selectOption("none"),
    () => page.keyboard.press("b"),
  ];
  for (const ask of asks) {
    await ask();
    await expect(told).toContainText("A part of this page could not be fetched.");
    await app.idle();
    await told.getByRole("button", { name: "Close" }).click();
    await expect(told).toHaveCount(0);
  }
  await page.unroute(away);
  await page.locator("#stage").focus();
  await app.press("b");
  await expect(page.getByRole("tab", { name: "Breakpoints" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("combobox", { name: "Sink delivery" }).selectOption("none");
  await expect(page.getByRole("combobox", { name: "Sink delivery" })).toHaveValue("none");
});
