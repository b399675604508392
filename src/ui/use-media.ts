import { useSyncExternalStore } from "react";

/** One column, as on a phone; `styles/small.css` has the same width. */
const narrow = matchMedia("(max-width: 719px)");

export function isNarrow(): boolean {
  return narrow.matches;
}

function listen(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, isNarrow);
}
