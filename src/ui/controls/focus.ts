/**
 * Where the focus goes when a dialog or a menu is gone. It is gone a moment before it gives the focus back: whoever has gone
 * elsewhere in between stays there.
 */

/** Has nobody the focus? */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** What had the focus last in the page: dialogs and menus stand beside it. */
let lastInPage: EventTarget | null = null;

/** Until the returned function is called. */
export function followFocus(): () => void {
  const page = document.querySelector("#root");
  const follow = ({ target }: Event): void => void (lastInPage = target);
  page?.addEventListener("focusin", follow);
  return () => page?.removeEventListener("focusin", follow);
}

/** To what had it before; where that is no more, as a menu's item, to what had it last in the page. */
export function giveFocusBack(before: Element | null): void {
  const to = before?.isConnected === true ? before : lastInPage;
  if (isFocusFree() && (to instanceof HTMLElement || to instanceof SVGElement)) to.focus({ preventScroll: true });
}
