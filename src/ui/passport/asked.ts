/** Which record's passport is looked at; it stays when the dialog is closed, so that `T` opens the same one. */
import { createStore } from "zustand/vanilla";
import type { Question } from "../../projection/passport.ts";
import { showDialog } from "../app-actions.ts";
import { appStore } from "../store.ts";

interface Asked {
  /** `null`: none has been chosen. */
  readonly record: number | null;
  /** The list beside it: what is asked, and words that names of records have; `null`: nobody has typed any. */
  readonly question: Question;
  readonly words: string | null;
  /** Records that are compared, at most `MOST_PINNED`, in the order in which they were pinned. */
  readonly pinned: readonly number[];
}

export const MOST_PINNED = 4;

const nothing: Asked = { record: null, question: "all", words: null, pinned: [] };

export const askedStore = createStore<Asked>(() => nothing);

export function ask(change: Partial<Asked>): void {
  askedStore.setState(change);
}

/** Keeps a record beside others, or lets it go. */
export function pinRecord(record: number, keep: boolean): void {
  const others = askedStore.getState().pinned.filter((other) => other !== record);
  ask({ pinned: keep ? [...others, record].slice(0, MOST_PINNED) : others });
}

/** Opens the passport of an input record. */
export function openPassport(record: number): void {
  ask({ record });
  showDialog("passport");
}

/** Numbers of another run's records mean something else. */
appStore.subscribe(
  (app) => app.session?.number,
  () => ask(nothing),
);
