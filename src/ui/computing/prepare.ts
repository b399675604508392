/**
 * Folds the run on screen ahead, in the page's idle moments, so that the first jump in a long run takes as short as any
 * other. What is folded are keyframes: without this the same pictures come, only later.
 */
import { appStore, branchOf } from "../store.ts";

/** Entries of the first piece; of the others as many as take so many milliseconds. */
const FIRST = 1024;
const PIECE = 6;
/** Milliseconds of idle time from which on a piece is begun, and between two where the browser does not tell of any. */
const ROOM = 5;
const PAUSE = 50;

function whenIdle(work: () => void): void {
  if (!("requestIdleCallback" in globalThis)) setTimeout(work, PAUSE);
  else requestIdleCallback((idle) => (idle.timeRemaining() >= ROOM ? work() : whenIdle(work)));
}

export function prepareAhead(): () => void {
  let waiting = false;
  let entries = FIRST;
  const piece = (): void => {
    waiting = false;
    const branch = branchOf(appStore.getState());
    if (branch === null) return;
    const thinned = branch.run.stageViews.thinnedTo;
    const began = performance.now();
    if (!branch.run.stageViews.prepare(entries)) goOn();
    const share = PIECE / Math.max(1, performance.now() - began);
    entries = Math.round(Math.min(8192, Math.max(64, entries * Math.min(2, share))));
    // Who tells of keyframes looks again.
    if (branch.run.stageViews.thinnedTo !== thinned) appStore.setState({});
  };
  const goOn = (): void => {
    if (waiting) return;
    waiting = true;
    whenIdle(piece);
  };
  goOn();
  return appStore.subscribe(branchOf, goOn);
}
