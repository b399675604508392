/** How wide the timeline's tracks are, so that what is too narrow to be hit need not pretend to be a button. */
import { type RefObject, createContext, useEffect, useRef, useState } from "react";

/** Smallest width and height of something to point at, in CSS pixels. */
export const TARGET = 24;

export const TrackWidth = createContext(1000);

/** The width of the first track in the element that gets the ref. */
export function useTrackWidth(): readonly [number, RefObject<HTMLElement | null>] {
  const [width, setWidth] = useState(1000);
  const rows = useRef<HTMLElement>(null);
  useEffect(() => {
    const track = rows.current?.querySelector(".timeline-track");
    if (track === null || track === undefined) return undefined;
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    sizes.observe(track);
    return () => sizes.disconnect();
  }, []);
  return [width, rows];
}
