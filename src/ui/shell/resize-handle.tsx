/** The edge of the panels below or of the rail: dragged, or moved by the arrow keys; its place is remembered. */
import "../styles/resize.css";
import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from "react";
import { changeSettings } from "../app-actions.ts";
import { defaultSettings } from "../settings.ts";
import { resizeWords } from "../text/resize-words.ts";
import { useApp } from "../use-app.ts";

/** A pointer that moves less has only clicked. */
const STILL_WITHIN = 4;
/** CSS pixels that a key moves it. */
const KEY_STEP = 24;

interface Side {
  readonly setting: "dockHeight" | "railWidth";
  /** The style that holds its size. */
  readonly property: string;
  /** Keys that make it larger, and smaller. */
  readonly keys: readonly [string, string];
  /** Both grow towards the start of the page. */
  readonly place: (event: PointerEvent) => number;
  readonly least: number;
  /** So that something of the stage stays. The styles have both bounds as well: a window can become smaller. */
  readonly most: () => number;
}

const sides: { readonly [S in "dock" | "rail"]: Side } = {
  dock: {
    setting: "dockHeight",
    property: "--dock-height",
    keys: ["ArrowUp", "ArrowDown"],
    place: ({ clientY }) => clientY,
    least: 120,
    most: () => window.innerHeight * 0.65,
  },
  rail: {
    setting: "railWidth",
    property: "--rail-width",
    keys: ["ArrowLeft", "ArrowRight"],
    place: ({ clientX }) => clientX,
    least: 260,
    most: () => window.innerWidth * 0.45,
  },
};

export interface ResizeHandleProps {
  readonly of: keyof typeof sides;
}

/** A click makes it as large as it may be, and as it was at first again. */
export default function ResizeHandle({ of }: ResizeHandleProps): ReactElement {
  const { setting, property, keys, place, least, most } = sides[of];
  const size = useApp((app) => app.settings[setting]);
  const start = useRef<{ readonly place: number; readonly size: number; moved: boolean } | null>(null);
  const set = (wanted: number): void => {
    const to = Math.round(Math.max(least, Math.min(wanted, most())));
    document.querySelector<HTMLElement>("#root")?.style.setProperty(property, `${to}px`);
    changeSettings({ [setting]: to });
  };
  const press = (event: KeyboardEvent): void => {
    const key = keys.indexOf(event.key);
    if (key < 0) return;
    event.preventDefault();
    event.stopPropagation();
    set(size + (key === 0 ? KEY_STEP : -KEY_STEP));
  };
  const down = (event: PointerEvent): void => {
    start.current = { place: place(event), size, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const from = start.current;
    if (from === null || (event.buttons & 1) === 0 || Math.abs(from.place - place(event)) < STILL_WITHIN) return;
    from.moved = true;
    set(from.size + from.place - place(event));
  };
  const toggle = (): void => {
    if (start.current?.moved !== true) set(size > defaultSettings[setting] ? defaultSettings[setting] : most());
    start.current = null;
  };
  return (
    <button
      type="button"
      className={`resize resize-${of}`}
      aria-label={resizeWords[of]}
      onKeyDown={press}
      onPointerDown={down}
      onPointerMove={move}
      onClick={toggle}
    />
  );
}
