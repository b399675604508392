import { useStore } from "zustand";
import { type App, appStore } from "./store.ts";

/** A part of the app's state; the component is drawn again when it is another. */
export function useApp<T>(part: (app: App) => T): T {
  return useStore(appStore, part);
}
