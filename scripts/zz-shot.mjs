import { chromium } from "@playwright/test";
import { preview } from "vite";
import { browserOrThrow } from "./browser.mjs";
const root = "/work/wt-fail";
const idle = (page) => page.waitForSelector('html[data-idle="true"]');
async function press(page, key) { await page.keyboard.press(key); await idle(page); }
async function until(page, words, key = ".", most=600) {
  for (let i = 0; i < most; i++) { if (words.test(await page.getByTestId("sentence").innerText())) return; await press(page, key); }
  console.log("never", words);
}
const server = await preview({ root, logLevel: "warn", preview: { host: "127.0.0.1", port: 4281, open: false } });
const browser = await chromium.launch(browserOrThrow());
const which = process.argv.slice(2);
async function shot(name, viewport, scheme, path) {
  if (which.length && !which.some((w) => name.includes(w))) return;
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  page.on("pageerror", (e) => console.log("ERR", e.message));
  await page.goto(server.resolvedUrls.local[0]);
  await page.getByRole("button", { name: "Pause" }).click(); await idle(page);
  const hint = page.getByRole("button", { name: "Got it" }); if (await hint.isVisible()) await hint.click();
  await path(page);
  await page.screenshot({ path: `/tmp/shots/${name}.png` });
  await page.close();
}
async function scenario(page, name) {
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name }).click(); await idle(page);
  const p = page.getByRole("button", { name: "Pause" }); if (await p.isVisible()) await p.click();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home"); await idle(page);
}
async function edit(page, change) {
  await page.getByRole("button", { name: /^Scenario:/ }).click();
  await page.getByRole("menuitem", { name: "Edit scenario…" }).click();
  const area = page.getByRole("textbox", { name: "Scenario as JSON" });
  const s = JSON.parse(await area.inputValue()); change(s);
  await area.fill(JSON.stringify(s));
  await page.getByRole("button", { name: "Run this scenario" }).click();
  const pause = page.getByRole("button", { name: "Pause" }); await pause.waitFor(); await pause.click();
  await page.getByRole("slider", { name: "Position in the run" }).press("Home"); await idle(page);
}
async function lanes(page, words, change = () => {}) {
  await scenario(page, /lanes/i);
  await edit(page, (s) => { s.faults.push({ at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "fail-task", target: "MAP[0]" }, ); change(s); });
  
  await until(page, /Checkpoint 1 is complete|Checkpoint 1 completes/, "n", 3); await until(page, words, ".", 120);
}
const wide = { width: 1440, height: 900 }, phone = { width: 390, height: 844 };
const paths = {
  failed: (p) => lanes(p, /notices|exception in user code/),
  again: async (p) => { await lanes(p, /Restart 1 is granted/); await until(p, /SNK\[0\].*RUNNING|is RUNNING/, ".", 80); },
  totals: async (p) => { await p.getByRole("slider", { name: "Position in the run" }).press("Home"); await idle(p); await press(p,"n"); await edit(p, (s)=>{ s.faults=[{at:{after:"CheckpointCompleted",checkpoint:2},do:"fail-task",target:"total[1]"}]; }); await press(p,"n"); await press(p,"n"); await until(p, /Restart 1 is granted/, ".", 60); },
  granted: (p) => lanes(p, /Restart 1 is granted/),
  canceled: async (p) => { await lanes(p, /Restart 1 is granted/); for (let i=0;i<8;i++) await press(p, "."); },
  restarted: (p) => lanes(p, /attempt 1|attempt #1/),
  rate: (p) => lanes(p, /Restart 1 is granted/, (s) => { s.config["restart-strategy.type"]="failure-rate"; s.config["restart-strategy.failure-rate.max-failures-per-interval"]=3; delete s.config["restart-strategy.fixed-delay.attempts"]; delete s.config["restart-strategy.fixed-delay.delay"]; }),
  exp: (p) => lanes(p, /Restart 1 is granted/, (s) => { s.config["restart-strategy.type"]="exponential-delay"; delete s.config["restart-strategy.fixed-delay.attempts"]; delete s.config["restart-strategy.fixed-delay.delay"]; }),
  lost: async (p) => { await lanes(p, /gone|lost/, (s) => { s.faults.pop(); s.faults.push({ at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "kill-taskmanager", target: "tm-1" }); }); },
  leader: async (p) => { await lanes(p, /JobManager is gone/, (s) => { s.faults.pop(); s.config["high-availability.type"]="zookeeper"; s.faults.push({ at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "kill-jobmanager" }); }); },
  took: async (p) => { await lanes(p, /takes over\. The|standby JobManager takes/, (s) => { s.faults.pop(); s.config["high-availability.type"]="zookeeper"; s.faults.push({ at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "kill-jobmanager" }); }); },
};
import { mkdirSync } from "node:fs"; mkdirSync("/tmp/shots", { recursive: true });
for (const [name, path] of Object.entries(paths)) {
  for (const [v, viewport] of [["wide", wide], ["phone", phone]]) for (const scheme of ["light", "dark"]) {
    try { await shot(`${name}-${v}-${scheme}`, viewport, scheme, path); } catch (e) { console.log(name, v, e.message.slice(0, 200)); }
  }
}
await browser.close(); await server.close();
