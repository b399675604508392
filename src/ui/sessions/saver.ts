/**
 * Saves what is on screen by itself and lets the address name it, whenever something of it has changed and the page rests,
 * now and then while it plays, and when it is left.
 */
import { filterStore } from "../events/filter.ts";
import { firstRun } from "../first-run.ts";
import { breakpointStore } from "../stops/breakpoints.ts";
import { appStore } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";
import { isSeenTo, writeAddress } from "./address.ts";
import { keepMoment } from "./moment.ts";
import { documentOnScreen } from "./run-state.ts";
import { forgetCurrent, saveRun } from "./saved.ts";

/** Milliseconds without a change, and between two writings while the run plays. */
const REST = 400;
const BEAT = 2000;

/** The number of the session on screen and its name in storage: a session that came back keeps its own. */
let shown: { readonly session: number; readonly id: string } | null = null;
let saving = false;
/** That nothing can be kept is said once. */
let warned = false;

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
  const write = (): void => {
    timer = null;
    void writeAddress().then(saveOrWarn);
  };
  const soon = (): void => {
    const isPlaying = appStore.getState().playback === "playing";
    if (isPlaying && timer !== null) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(write, isPlaying ? BEAT : REST);
  };
  appStore.subscribe(soon);
  filterStore.subscribe(soon);
  breakpointStore.subscribe(soon);
  addEventListener("pagehide", saveNow);
  soon();
}

function saveOrWarn(): void {
  if (saveNow() || warned || appStore.getState().notice !== null) return;
  warned = true;
  const { noStorageTitle, noStorage } = sessionsText();
  appStore.setState({ notice: { title: noStorageTitle, lines: [noStorage], go: null, lacks: false } });
}

/** `false`: the browser keeps nothing. */
export function saveNow(): boolean {
  const app = appStore.getState();
  const { session, pending } = app;
  if (session === null || pending > 0 || !isSeenTo()) return true;
  const document = documentOnScreen(app, true);
  if (document === null) return true;
  if (shown === null || shown.session < session.number) shown = { session: session.number, id: crypto.randomUUID() };
  const { id } = shown;
  const decided = session.branches.some(({ branch, removed }) => branch.id > 0 && !removed);
  const isKept = decided || session.library !== firstRun.library || session.text !== firstRun.text;
  keepMoment({ address: location.hash, id: isKept ? id : null, document });
  if (isKept) return saveRun({ id, title: session.scenario.title.en, seen: Date.now(), document });
  forgetCurrent();
  return true;
}
