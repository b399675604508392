/** Widths at which the layout changes; `styles/small.css` has the same. */

/** One column, a bar of tabs at the bottom, and the page scrolls. A phone on its side is a phone. */
export const phone = matchMedia("(max-width: 719px), (max-height: 479px)");

/** The narrator and the inspector share the rail. */
export const sharedRail = matchMedia("(max-width: 1279px)");
