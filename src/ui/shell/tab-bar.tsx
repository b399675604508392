/** A phone's way about: the stage, time, what is selected, all the rest, and the failure tool. */
import "../styles/phone.css";
import { Clock, Ellipsis, ScanSearch, Workflow, Zap } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { changeSettings } from "../app-actions.ts";
import { timeTabs } from "../panels/dock-panels.ts";
import type { DockTab } from "../settings.ts";
import { elementBox } from "../stage-anchor.ts";
import { appStore, type FaultMenu } from "../store.ts";
import { useApp } from "../use-app.ts";
import { usePhoneText } from "../text/phone-text.ts";
import { FailTool } from "./fail-tool.tsx";
import { MoreSheet } from "./more-sheet.tsx";
import { stackTables } from "./stack-tables.ts";

type Tab = "stage" | "time" | "inspect" | "more";

function tabOf(dock: DockTab): Tab {
  if (dock === "selected") return "inspect";
  return timeTabs.includes(dock) ? "time" : "more";
}

export default function TabBar(): ReactElement {
  const words = usePhoneText();
  const { front, dock } = useApp((app) => app.settings);
  const selected = useApp((app) => app.selection !== null);
  const [open, setOpen] = useState<"more" | "fail" | null>(null);
  const current: Tab = front === "stage" ? "stage" : tabOf(dock);
  const [lastTime, setLastTime] = useState<DockTab>("spaceTime");
  if (front === "panel" && timeTabs.includes(dock) && lastTime !== dock) setLastTime(dock);
  useEffect(() => appStore.subscribe((app) => app.menu, aboveSheet), []);
  useEffect(stackTables, []);
  useOwnPlace(front === "stage" ? "stage" : dock);
  const close = (): void => setOpen(null);
  const show = (tab: Tab, act: () => void): ReactElement => (
    <BarButton
      label={words.tabs[tab]}
      current={tab === current}
      mark={tab === "inspect" && selected ? words.selected : null}
      onClick={() => {
        if (tab !== "more") close();
        act();
      }}
    >
      {icons[tab]}
    </BarButton>
  );
  const fail = (): void => {
    changeSettings({ front: "stage" });
    setOpen(open === "fail" ? null : "fail");
  };
  return (
    <>
      {open === "fail" ? <FailTool onClose={close} /> : null}
      <nav className="tab-bar" aria-label={words.bar}>
        {show("stage", () => changeSettings({ front: "stage" }))}
        {show("time", () => changeSettings({ dock: lastTime }))}
        {show("inspect", () => changeSettings({ dock: "selected" }))}
        {show("more", () => setOpen("more"))}
        <BarButton label={words.tabs.fail} pressed={open === "fail"} className="fail" onClick={fail}>
          <Zap aria-hidden />
        </BarButton>
      </nav>
      {open === "more" ? <MoreSheet onClose={close} /> : null}
    </>
  );
}

const icons: { readonly [T in Tab]: ReactNode } = {
  stage: <Workflow aria-hidden />,
  time: <Clock aria-hidden />,
  inspect: <ScanSearch aria-hidden />,
  more: <Ellipsis aria-hidden />,
};

interface BarButtonProps {
  readonly label: string;
  readonly current?: boolean;
  readonly pressed?: boolean;
  /** What a dot on it means; `null`: it has none. */
  readonly mark?: string | null;
  readonly className?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function BarButton(props: BarButtonProps): ReactElement {
  const { label, current, pressed, mark = null, className = "", onClick, children } = props;
  return (
    <button
      type="button"
      className={`bar-button ${className}`}
      aria-current={current === true ? "page" : undefined}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
      <span>{label}</span>
      {mark === null ? null : (
        <span className="bar-mark">
          <span className="visually-hidden">({mark})</span>
        </span>
      )}
    </button>
  );
}

/** A fault menu comes up from the bottom: what it is about is brought above it. */
function aboveSheet(menu: FaultMenu | null): void {
  const box = menu === null ? null : elementBox(menu.element);
  if (box !== null && box.bottom > innerHeight * ABOVE_SHEET) scrollBy({ top: box.bottom - innerHeight * ABOVE_SHEET });
}

/** The part of the page that a sheet leaves free, with something to spare. */
const ABOVE_SHEET = 0.34;

/** The page is one, what fills it are several: each is scrolled to where it was left. */
function useOwnPlace(shown: string): void {
  const places = useRef(new Map<string, number>());
  useEffect(() => {
    const kept = places.current;
    scrollTo(0, kept.get(shown) ?? 0);
    const keep = (): void => void kept.set(shown, scrollY);
    addEventListener("scroll", keep, { passive: true });
    return () => removeEventListener("scroll", keep);
  }, [shown]);
}
