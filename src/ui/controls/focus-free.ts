/**
 * Has nobody the focus? A dialog or a menu is gone a moment before it gives the focus back: whoever has gone elsewhere in
 * between stays there.
 */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** For what would give the focus back by itself. */
export function leaveFocusTaken(closing: Event): void {
  if (!isFocusFree()) closing.preventDefault();
}
