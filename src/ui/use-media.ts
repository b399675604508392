import { useSyncExternalStore } from "react";
import { phone, sharedRail } from "./media.ts";

function hookFor(query: MediaQueryList): () => boolean {
  const listen = (changed: () => void): (() => void) => {
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  };
  return () => useSyncExternalStore(listen, () => query.matches);
}

export const usePhone = hookFor(phone);
export const useSharedRail = hookFor(sharedRail);
