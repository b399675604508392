import { useSyncExternalStore } from "react";
import { oneColumn, withoutRail } from "./media.ts";

function hookFor(query: MediaQueryList): () => boolean {
  const listen = (changed: () => void): (() => void) => {
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  };
  return () => useSyncExternalStore(listen, () => query.matches);
}

export const useOneColumn = hookFor(oneColumn);
export const useWithoutRail = hookFor(withoutRail);
