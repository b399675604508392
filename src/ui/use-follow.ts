/** Keeps something at a point of the page that moves without telling: the stage pans, zooms and is laid out anew. */
import { type RefObject, useEffect, useRef } from "react";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Room that is left to the rim of the parent. */
const RIM = 8;
/** Frames between two looks: measuring costs a layout. */
const EVERY = 5;

/**
 * `where` gives a point in client coordinates; `null`: it is nowhere now. The node is placed by `--at`, centred on the
 * point, but within its parent; `--aside` is how far the point is from the node's middle then.
 */
export function useFollow(node: RefObject<HTMLElement | null>, where: () => Point | null): void {
  const latest = useRef(where);
  useEffect(() => {
    latest.current = where;
  });
  useEffect(() => {
    let shown = "";
    let frame = 0;
    const follow = (): void => {
      request = requestAnimationFrame(follow);
      if (frame++ % EVERY !== 0) return;
      const parent = node.current?.parentElement?.getBoundingClientRect();
      if (node.current === null || parent === undefined) return;
      const point = latest.current();
      const half = node.current.offsetWidth / 2 + RIM;
      const wanted = point === null ? 0 : point.x - parent.left;
      const x = Math.round(Math.min(Math.max(wanted, half), parent.width - half));
      const place = point === null ? "none" : `translate(${x}px, ${Math.round(point.y - parent.top)}px)`;
      if (place === shown) return;
      shown = place;
      node.current.style.visibility = point === null ? "hidden" : "visible";
      node.current.style.setProperty("--at", place);
      node.current.style.setProperty("--aside", `${Math.round(wanted - x)}px`);
    };
    let request = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(request);
  }, [node]);
}
