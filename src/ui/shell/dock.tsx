/** The panels below: one tab at a time, of a height that can be changed. */
import { Tabs } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, type ReactElement, Suspense, useRef } from "react";
import { changeSettings } from "../app-actions.ts";
import { lazyPanels } from "../panels/lazy-panels.ts";
import { type DockTab, dockTabs } from "../settings.ts";
import { useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";
import { BranchSwitcher } from "./branch-switcher.tsx";

const MIN_HEIGHT = 120;
/** Of the window: something of the stage stays. */
const MAX_SHARE = 0.65;

export function Dock(): ReactElement {
  const { panels } = useText();
  const tab = useApp((app) => app.settings.dock);
  const height = useApp((app) => app.settings.dockHeight);
  const branches = useApp((app) => app.session?.branches.length ?? 0);
  return (
    <Tabs.Root
      className="dock"
      style={{ "--dock-height": `${height}px` } as object}
      value={tab}
      onValueChange={(value) => changeSettings({ dock: dockTabs.find((each) => each === value) ?? "timeline" })}
    >
      <ResizeHandle height={height} />
      <div className="dock-head">
        <Tabs.List className="tabs" aria-label={panels.dock}>
          {dockTabs.map((each, index) => (
            <Tabs.Trigger key={each} value={each} className="tab" aria-keyshortcuts={String(index + 1)}>
              {panels.tabs[each]}
              {each === "branches" && branches > 1 ? <span className="tab-count">{branches}</span> : null}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <BranchSwitcher />
      </div>
      {dockTabs.map((each) => (
        <Tabs.Content key={each} value={each} className="panel" tabIndex={-1}>
          <Panel tab={each} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

function Panel({ tab }: { readonly tab: DockTab }): ReactElement {
  const Content = lazyPanels[tab];
  return (
    <Suspense fallback={null}>
      <Content />
    </Suspense>
  );
}

function ResizeHandle({ height }: { readonly height: number }): ReactElement {
  const { common } = useText();
  const start = useRef<{ readonly y: number; readonly height: number } | null>(null);
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
    start.current = { y: event.clientY, height };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (start.current !== null) set(start.current.height + start.current.y - event.clientY);
  };
  return (
    <hr
      className="resize"
      aria-orientation="horizontal"
      aria-label={common.resize}
      aria-valuenow={height}
      aria-valuemin={MIN_HEIGHT}
      tabIndex={0}
      onKeyDown={keys}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => (start.current = null)}
    />
  );
}
