import { expect, test } from "@playwright/test";
import { AppPage } from "./app.ts";

const job = (vertices: readonly object[], faults: readonly object[], config: object = {}): string =>
  JSON.stringify({
    format: 1,
    id: "mine",
    title: { en: "Mine" },
    job: { vertices, edges: [{ from: "S", to: "K" }] },
    config: {
      "execution.checkpointing.interval": "500 ms",
      "restart-strategy.type": "fixed-delay",
      "restart-strategy.fixed-delay.attempts": 3,
      "restart-strategy.fixed-delay.delay": "500 ms",
      ...config,
    },
    initialDelay: "200 ms",
    faults,
  });

async function opened(app: AppPage, text: string): Promise<void> {
  await app.open();
  const file = { name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await app.page.getByTestId("file").setInputFiles(file);
  await expect(app.button(/^Scenario: Mine/)).toBeVisible();
  await app.button("Pause").click();
  await app.idle();
  await app.page.getByRole("slider", { name: "Position in the run" }).press("Home");
  await app.idle();
}

test("a connection that breaks is told as loss, and its partition has no place to go back to", async ({ page }) => {
  const app = new AppPage(page);
  const socket = { uid: "S", type: "socket-source", records: 20, every: "100 ms", chain: false };
  const fails = { at: { time: "1050 ms" }, do: "fail-task", target: "S[0]" };
  await opened(app, job([socket, { uid: "K", type: "print-sink", chain: false }], [fails]));
  await app.stepUntil(/The connection of S\[0\] breaks\. It cannot ask for anything again/, ">", 120);
  await app.element("input:S-0").click();
  await expect(page.getByRole("complementary").or(page.locator(".inspector")).first()).toContainText("S-0");
});

test("a write-ahead log shows what it holds back, and sends it with the word that the checkpoint is complete", async ({
  page,
}) => {
  const app = new AppPage(page);
  const files = { uid: "S", type: "file-source", records: 20, every: "100 ms", chain: false };
  await opened(app, job([files, { uid: "K", type: "write-ahead-log-sink", chain: false }], []));
  await app.stepUntil(/K\[0\] has sent the batch of checkpoint 1, and its committer has recorded that/, ">", 120);
  await app.stepUntil(/Checkpoint 2 starts/);
  await app.element("subtask:K[0]").click();
  await expect(page.getByText(/open stream: \d+ records since the last barrier/)).toBeVisible();
});
