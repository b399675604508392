import { useSyncExternalStore } from "react";

/** Widths at which the layout changes; `styles/small.css` has the same. */
const oneColumn = matchMedia("(max-width: 899px)");
const withoutRail = matchMedia("(max-width: 1199px)");

/** All stands in one column, and the page scrolls. */
export function isOneColumn(): boolean {
  return oneColumn.matches;
}

/** The selected thing has no place beside the stage: it is a panel below. */
export function isWithoutRail(): boolean {
  return withoutRail.matches;
}

function listenTo(query: MediaQueryList): (changed: () => void) => () => void {
  return (changed) => {
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  };
}

const listenToColumn = listenTo(oneColumn);
const listenToRail = listenTo(withoutRail);

export function useOneColumn(): boolean {
  return useSyncExternalStore(listenToColumn, isOneColumn);
}

export function useWithoutRail(): boolean {
  return useSyncExternalStore(listenToRail, isWithoutRail);
}
