/** Saves what is on screen by itself, whenever something of it has changed and the page rests, and when it is left. */
import { firstRun } from "../first-run.ts";
import { appStore } from "../store.ts";
import { documentOnScreen } from "./run-state.ts";
import { forgetCurrent, saveRun } from "./saved.ts";

/** Milliseconds without a change. */
const REST = 600;

/** The number of the session on screen and its name in storage: a session that came back keeps its own. */
let shown: { readonly session: number; readonly id: string } | null = null;
let saving = false;

/** The session of that number is a saved one. */
export function comesBack(session: number, id: string): void {
  shown = { session, id };
}

export function currentId(): string | null {
  return shown?.id ?? null;
}

export function startSaving(): void {
  if (saving) return;
  saving = true;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(saveNow, REST);
  };
  appStore.subscribe(soon);
  addEventListener("pagehide", saveNow);
  soon();
}

/** `false`: the browser keeps nothing. */
export function saveNow(): boolean {
  const app = appStore.getState();
  const { session, pending, playback } = app;
  if (session === null || pending > 0 || playback === "playing") return true;
  const decided = session.branches.some(({ branch: { id }, removed }) => id > 0 && !removed);
  const own = session.library !== firstRun.library || session.text !== firstRun.text;
  if (shown === null || shown.session < session.number) shown = { session: session.number, id: crypto.randomUUID() };
  if (!decided && !own) {
    forgetCurrent();
    return true;
  }
  const document = documentOnScreen(app, true);
  const title = session.scenario.title.en;
  return document === null || saveRun({ id: shown.id, title, seen: Date.now(), document });
}
