/** The timeline larger than its room: how much, and what keeps the cursor and the pointed-at instant in sight. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { playhead } from "../playhead.ts";
import { appStore } from "../store.ts";

const MOST = 64;
const STEP = 1.5;

export interface Zoom {
  readonly room: RefObject<HTMLDivElement | null>;
  readonly by: number;
  readonly zoom: (way: Way) => void;
}

/** Width of the names before the tracks, in CSS pixels. */
const NAMES = 128;

export function useZoom(total: number): Zoom {
  const room = useRef<HTMLDivElement>(null);
  const [by, setBy] = useState(1);
  /** What is to stay where it is: a share of the tracks, and where in the room it is. */
  const held = useRef<{ readonly share: number; readonly at: number } | null>(null);
  const change = (factor: number, at: number): void => {
    const node = room.current;
    if (node === null) return;
    const tracks = node.scrollWidth - NAMES;
    held.current = { share: (node.scrollLeft + at - NAMES) / tracks, at };
    setBy((now) => Math.min(Math.max(now * factor, 1), MOST));
  };
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useLayoutEffect(() => {
    const node = room.current;
    if (node === null || held.current === null) return;
    const { share, at } = held.current;
    node.scrollLeft = share * (node.scrollWidth - NAMES) + NAMES - at;
    held.current = null;
  }, [by]);
  useEffect(() => listenToWheel(room.current, (factor, at) => latest.current(factor, at)), []);
  useEffect(() => followCursor(room, total), [total]);
  const middle = (): number => {
    const node = room.current;
    if (node === null) return 0;
    const cursor = NAMES + (playhead.getState().presentation / total) * (node.scrollWidth - NAMES) - node.scrollLeft;
    return cursor > NAMES && cursor < node.clientWidth ? cursor : node.clientWidth / 2;
  };
  const zoom = (way: Way): void => change(factors[way], middle());
  const zooming = useRef(zoom);
  useEffect(() => {
    zooming.current = zoom;
  });
  useEffect(() => listenToKeys(room.current, (way) => zooming.current(way)), []);
  return { room, by, zoom };
}

type Way = "in" | "out" | "fit";
const factors = { in: STEP, out: 1 / STEP, fit: 0 } as const;
const keys: { readonly [key: string]: Way } = { "+": "in", "=": "in", "-": "out", "0": "fit" };

/** While something of the timeline has the focus. */
function listenToKeys(node: HTMLElement | null, zoom: (way: Way) => void): () => void {
  const press = (event: KeyboardEvent): void => {
    const way = keys[event.key];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    zoom(way);
  };
  node?.addEventListener("keydown", press);
  return () => node?.removeEventListener("keydown", press);
}

/** Ctrl and the wheel; the browser must not zoom its page with it. */
function listenToWheel(node: HTMLElement | null, zoom: (factor: number, at: number) => void): () => void {
  const turn = (event: WheelEvent): void => {
    if (node === null || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    zoom(2 ** (-event.deltaY / 240), event.clientX - node.getBoundingClientRect().left);
  };
  node?.addEventListener("wheel", turn, { passive: false });
  return () => node?.removeEventListener("wheel", turn);
}

/** The cursor is brought back into sight when it goes out of it. */
function followCursor(room: RefObject<HTMLElement | null>, total: number): () => void {
  const follow = (): void => {
    const node = room.current;
    if (node === null || node.scrollWidth <= node.clientWidth) return;
    const place = NAMES + (playhead.getState().presentation / total) * (node.scrollWidth - NAMES);
    const seen = place >= node.scrollLeft + NAMES && place <= node.scrollLeft + node.clientWidth - 24;
    if (!seen) node.scrollLeft = place - NAMES - (node.clientWidth - NAMES) / 4;
  };
  const stops = [playhead.subscribe(follow), appStore.subscribe((app) => app.branch, follow)];
  return () => stops.forEach((stop) => stop());
}
