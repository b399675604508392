/** Keeps something at a point of the page that moves without telling: the stage pans, zooms and is laid out anew. */
import { type RefObject, useEffect, useRef } from "react";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `where` gives a point in client coordinates; `null`: it is nowhere now. The node is placed within its parent. */
export function useFollow(node: RefObject<HTMLElement | null>, where: () => Point | null): void {
  const latest = useRef(where);
  useEffect(() => {
    latest.current = where;
  });
  useEffect(() => {
    let shown = "";
    const follow = (): void => {
      request = requestAnimationFrame(follow);
      const parent = node.current?.parentElement?.getBoundingClientRect();
      if (node.current === null || parent === undefined) return;
      const point = latest.current();
      const place =
        point === null
          ? ""
          : `translate(${Math.round(point.x - parent.left)}px, ${Math.round(point.y - parent.top)}px)`;
      if (place === shown) return;
      shown = place;
      node.current.style.visibility = place === "" ? "hidden" : "visible";
      node.current.style.setProperty("--at", place === "" ? "none" : place);
    };
    let request = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(request);
  }, [node]);
}
