/** The panels below: one tab at a time, of a height that can be changed. */
import { Tabs } from "radix-ui";
import { type ReactElement, useEffect, useRef } from "react";
import { changeSettings } from "../app-actions.ts";
import { dockPanels, fetchPanels, timeTabs } from "../panels/dock-panels.ts";
import { dockTabs } from "../setting-choices.ts";
import { type DockTab, defaultSettings } from "../settings.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { usePhone } from "../use-media.ts";
import { BranchSwitcher } from "./branch-switcher.tsx";
import { Resize } from "./resize.tsx";

export function Dock(): ReactElement {
  const { panels } = useText();
  const phone = usePhone();
  const chosen = useApp((app) => app.settings.dock);
  const tabs = phone ? besides(chosen) : dockTabs.filter((each) => each !== "selected");
  const tab = tabs.includes(chosen) ? chosen : defaultSettings.dock;
  const branches = useApp((app) => app.session?.branches.filter(({ removed }) => !removed).length ?? 0);
  const signed = useApp((app) => app.sweepSign !== null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => inSight(list.current), [tab, signed]);
  return (
    <Tabs.Root
      className="dock"
      value={tab}
      onPointerEnter={fetchPanels}
      onFocus={fetchPanels}
      onValueChange={(value) => changeSettings({ dock: dockTabs.find((each) => each === value) ?? "timeline" })}
    >
      {phone ? null : <Resize of="dock" />}
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
        {phone ? null : <BranchSwitcher />}
      </div>
      {tabs.map((each) => (
        <Tabs.Content key={each} value={each} className="panel" tabIndex={-1}>
          <Panel tab={each} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** On a phone the panels of time have tabs of their own, and every other one the page to itself. */
function besides(tab: DockTab): readonly DockTab[] {
  return timeTabs.includes(tab) ? timeTabs : [tab];
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
  const Content = dockPanels[tab];
  return <Content />;
}
