/** When panels follow the picture; frames, idle time and the clock are this file's. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bringPanelsBehind } from "./panels-behind.ts";
import { appStore } from "./store.ts";

let frames: (() => void)[] = [];
let idle: (() => void)[] = [];
let stop: () => void = () => {};

const run = (list: (() => void)[]): void => list.splice(0).forEach((act) => act());
/** The next picture, and what waits for it. */
function picture(): void {
  run(frames);
  vi.advanceTimersByTime(5);
}
const seek = (step: number): void => appStore.setState({ step });
const panels = (): number => appStore.getState().panelStep;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => frames.push(act));
  vi.stubGlobal("requestIdleCallback", (act: () => void, { timeout }: { timeout: number }) => {
    setTimeout(() => idle.includes(act) && run(idle), timeout);
    return idle.push(act);
  });
  vi.stubGlobal("cancelIdleCallback", () => (idle = []));
  [frames, idle] = [[], []];
  appStore.setState({ step: 0, panelStep: 0, branch: 0 });
  stop = bringPanelsBehind();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("they follow in the time that a picture leaves, and stand where the cursor is then", () => {
  seek(3);
  expect(panels()).toBe(0);
  picture();
  expect(panels()).toBe(0);
  run(idle);
  expect(panels()).toBe(3);
});

test("where nothing moves any more there may be no idle time for long: they come a frame or two behind the picture", () => {
  seek(3);
  picture();
  vi.advanceTimersByTime(30);
  expect(panels()).toBe(3);
});

test("they never come between an input and its picture", () => {
  seek(3);
  picture();
  seek(4);
  run(idle);
  expect(panels()).toBe(0);
  picture();
  run(idle);
  expect(panels()).toBe(4);
});

test("where pictures leave no time they come straight behind one, ten times a second", () => {
  for (let step = 1; step <= 40; step++) {
    seek(step);
    vi.advanceTimersByTime(15);
    picture();
    expect(step - panels(), `at ${step}`).toBeLessThanOrEqual(6);
  }
});

test("where nobody sees the page, and in another branch, they come at once", () => {
  appStore.setState({ step: 5, branch: 1 });
  expect(panels()).toBe(5);
  vi.stubGlobal("document", { hidden: true });
  seek(6);
  expect(panels()).toBe(6);
});
