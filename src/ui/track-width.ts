/** How wide the timeline's tracks are, so that what is too narrow to be hit need not pretend to be a button. */
import { type RefObject, createContext, useEffect, useRef, useState } from "react";

/** Smallest width and height of something to point at, in CSS pixels. */
export const TARGET = 24;

export const TrackWidth = createContext(1000);

/** The width of the first track in the element that gets the ref. */
export function useTrackWidth<E extends HTMLElement = HTMLElement>(
  of = ".timeline-track",
): readonly [number, RefObject<E | null>] {
  const [width, setWidth] = useState(1000);
  const rows = useRef<E>(null);
  useEffect(() => {
    const track = rows.current?.querySelector(of);
    if (track === null || track === undefined) return undefined;
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    sizes.observe(track);
    return () => sizes.disconnect();
  }, [of]);
  return [width, rows];
}
