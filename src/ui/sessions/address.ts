/**
 * The page's address names what is on screen: its fragment is written whenever the page rests, in the place of the one
 * before, so that the way back leads where it led. A link that would be too long is made shorter, and says so; where no
 * shorter one is short enough the address names nothing, rather than another moment.
 */
import type { RunDocument } from "../../scenario/run-document.ts";
import { type App, appStore } from "../store.ts";
import { documentOnScreen, fragmentOf } from "./run-state.ts";

/** From so many characters on a link is no longer offered: what passes it on may cut it. */
export const LONGEST_LINK = 1500;

/** What a link can do without, first what is missed least. */
const spare = ["breakpoints", "filter", "pinned"] as const satisfies readonly (keyof RunDocument)[];

export interface Linked {
  /** `null`: even the shortest would be too long. */
  readonly link: string | null;
  /** Of the whole. */
  readonly length: number;
  readonly without: readonly string[];
}

/** The link to what is on screen; `null`: there is nothing yet. */
export async function linkOf(app: App): Promise<Linked | null> {
  const document = documentOnScreen(app, false);
  if (document === null) return null;
  let length = 0;
  for (const shorter of shorterAndShorter(document)) {
    const link = `${location.origin}${location.pathname}${location.search}${await fragmentOf(shorter)}`;
    length ||= link.length;
    if (link.length <= LONGEST_LINK) return { link, length, without: shorter.without ?? [] };
  }
  return { link: null, length, without: [] };
}

function* shorterAndShorter(document: RunDocument): Generator<RunDocument> {
  yield document;
  const without: string[] = [];
  // The last mark is of the whole run: with it alone a difference is still seen.
  let shorter: RunDocument = { ...document, marks: document.marks?.slice(-1) ?? [] };
  yield shorter;
  for (const field of spare) {
    if (document[field] === undefined) continue;
    without.push(field);
    shorter = { ...shorter, [field]: undefined, without: [...without] };
    yield shorter;
  }
}

let asked = 0;
/** The address that stands as it was seen to; `null`: the one with which the page was opened. */
let seenTo: string | null = null;

/** What an address names has been opened, or refused. */
export function seeTo(address: string): void {
  seenTo = address;
}

/**
 * Does the address belong to what is on screen? Between somebody's going elsewhere and the page's hearing of it there is
 * time for a writing that was due: it would have the other address name what is left.
 */
export function isSeenTo(): boolean {
  return seenTo === null || location.href === seenTo;
}

/** Writes what is on screen into the address; a link that could not be opened whole stays there as long as it is told. */
export async function writeAddress(): Promise<void> {
  const mine = ++asked;
  const app = appStore.getState();
  if (app.pending > 0 || app.refused !== null || app.notice?.lacks === true) return;
  const linked = await linkOf(app);
  if (linked === null || mine !== asked || !isSeenTo()) return;
  const address = linked.link ?? `${location.pathname}${location.search}`;
  if (address === location.href) return;
  try {
    history.replaceState(history.state, "", address);
    seeTo(location.href);
  } catch {
    // Too often for this browser: the next rest writes it.
  }
}
