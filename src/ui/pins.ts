/** What the inspector keeps in sight besides the selection. */
import { sameElement, type StageElement } from "../view/stage/elements.ts";
import { type App, appStore } from "./store.ts";

/** The most things that the inspector keeps at once. */
export const PINS = 3;

export function isPinned({ pinned }: Pick<App, "pinned">, element: StageElement): boolean {
  return pinned.some((other) => sameElement(other, element));
}

/** Keeps something in the inspector, or lets it go. */
export function pin(element: StageElement, keep: boolean): void {
  const others = appStore.getState().pinned.filter((other) => !sameElement(other, element));
  appStore.setState({ pinned: keep ? [...others, element].slice(0, PINS) : others });
}
