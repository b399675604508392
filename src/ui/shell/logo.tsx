import type { ReactElement } from "react";

/** A barrier crossing a channel, seen through a scope. */
export function Logo(): ReactElement {
  return (
    <svg className="logo" width="26" height="26" viewBox="0 0 26 26" aria-hidden focusable="false">
      <circle cx="13" cy="13" r="11.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M1.5 13h8M18.5 13h6" stroke="currentColor" strokeWidth="1.6" />
      <circle cx="5.6" cy="13" r="1.7" fill="currentColor" />
      <path d="M11.2 5.5v15" stroke="var(--epoch-0)" strokeWidth="2.2" strokeLinecap="round" />
      <path d="M11.2 6.2h7.6l-2 2.9 2 2.9h-7.6z" fill="var(--epoch-0)" />
    </svg>
  );
}
