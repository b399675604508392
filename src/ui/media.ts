/** Widths at which the layout changes; `styles/small.css` has the same. */

/** All stands in one column, and the page scrolls. */
export const oneColumn = matchMedia("(max-width: 899px)");

/** The selected thing has no place beside the stage: it is a panel below. */
export const withoutRail = matchMedia("(max-width: 1199px)");
