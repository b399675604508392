/** The panels below: one tab at a time, of a height that can be changed. */
import { Tabs } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, type ReactElement, Suspense, useEffect, useRef, useState } from "react";
import { changeSettings } from "../app-actions.ts";
import { fetchPanels, panelOf } from "../panels/lazy-panels.ts";
import { type DockTab, defaultSettings, dockTabs } from "../settings.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useWithoutRail } from "../use-media.ts";
import { BranchSwitcher } from "./branch-switcher.tsx";

const MIN_HEIGHT = 120;
/** Of the window: something of the stage stays. */
const MAX_SHARE = 0.65;
/** A pointer that moves less has only clicked. */
const STILL_WITHIN = 4;

export function Dock(): ReactElement {
  const { panels } = useText();
  const withoutRail = useWithoutRail();
  const tabs: readonly DockTab[] = withoutRail ? dockTabs : dockTabs.filter((each) => each !== "selected");
  const chosen = useApp((app) => app.settings.dock);
  const tab = tabs.includes(chosen) ? chosen : defaultSettings.dock;
  const height = useApp((app) => app.settings.dockHeight);
  const branches = useApp((app) => app.session?.branches.filter(({ removed }) => !removed).length ?? 0);
  const signed = useApp((app) => app.sweepSign !== null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => inSight(list.current), [tab, signed]);
  return (
    <Tabs.Root
      className="dock"
      style={{ "--dock-height": `${height}px` } as object}
      value={tab}
      onPointerEnter={fetchPanels}
      onFocus={fetchPanels}
      onValueChange={(value) => changeSettings({ dock: dockTabs.find((each) => each === value) ?? "timeline" })}
    >
      <ResizeHandle height={height} />
      <div className="dock-head">
        <Tabs.List ref={list} className="tabs" aria-label={panels.dock}>
          {tabs.map((each, index) => (
            <Tabs.Trigger key={each} value={each} className="tab" aria-keyshortcuts={String(index + 1)}>
              {panels.tabs[each]}
              {each === "branches" && branches > 1 ? <span className="tab-count">{branches}</span> : null}
              {each === "sweep" && signed ? <SweepSign /> : null}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <BranchSwitcher />
      </div>
      {tabs.map((each) => (
        <Tabs.Content key={each} value={each} className="panel" tabIndex={-1}>
          <Panel tab={each} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** It changes often: nothing else is drawn again for it. */
function SweepSign(): ReactElement {
  return <span className="tab-count">{useApp((app) => app.sweepSign)}</span>;
}

/** Scrolls the tabs, and nothing else, to the one that is active. */
function inSight(list: HTMLElement | null): void {
  const active = list?.querySelector<HTMLElement>('[data-state="active"]');
  if (list === null || active === null || active === undefined) return;
  const { offsetLeft, offsetWidth } = active;
  list.scrollLeft = Math.min(Math.max(list.scrollLeft, offsetLeft + offsetWidth - list.clientWidth), offsetLeft);
}

function Panel({ tab }: { readonly tab: DockTab }): ReactElement {
  const [Content] = useState(() => panelOf(tab));
  return (
    <Suspense fallback={null}>
      <Content />
    </Suspense>
  );
}

/** Dragged, or moved by the arrow keys; a click makes the panels tall, and as they were again. */
function ResizeHandle({ height }: { readonly height: number }): ReactElement {
  const { common } = useText();
  const start = useRef<{ readonly y: number; readonly height: number; moved: boolean } | null>(null);
  const set = (wanted: number): void => {
    const most = Math.max(MIN_HEIGHT, window.innerHeight * MAX_SHARE);
    changeSettings({ dockHeight: Math.round(Math.min(Math.max(wanted, MIN_HEIGHT), most)) });
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    event.stopPropagation();
    set(height + (event.key === "ArrowUp" ? 24 : -24));
  };
  const down = (event: PointerEvent): void => {
    start.current = { y: event.clientY, height, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const from = start.current;
    if (from === null || (event.buttons & 1) === 0 || Math.abs(from.y - event.clientY) < STILL_WITHIN) return;
    from.moved = true;
    set(from.height + from.y - event.clientY);
  };
  const toggle = (): void => {
    if (start.current?.moved !== true)
      set(height > defaultSettings.dockHeight ? defaultSettings.dockHeight : window.innerHeight * MAX_SHARE);
    start.current = null;
  };
  return (
    <button
      type="button"
      className="resize"
      aria-label={common.resize}
      onKeyDown={keys}
      onPointerDown={down}
      onPointerMove={move}
      onClick={toggle}
    />
  );
}
