/** The whole app around a controller. */
import { Tooltip } from "radix-ui";
import { type ComponentType, type ReactElement, useEffect } from "react";
import { later } from "../later.tsx";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { ControllerContext } from "../controller-context.ts";
import { prepareAhead } from "../computing/prepare.ts";
import { followSettings } from "../follow-settings.ts";
import { followFocus } from "../controls/focus.ts";
import { watchIdle } from "../idle.ts";
import { bringPanelsBehind } from "../panels-behind.ts";
import { listenToKeys } from "../key-listener.ts";
import { hasBreakpoints } from "../stops/remembered.ts";
import { type App, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { usePhone } from "../use-media.ts";
import { useText } from "../text/use-text.ts";
import { Banners } from "./banner.tsx";
import { Dock } from "./dock.tsx";
import { Header } from "./header.tsx";
import { LiveRegion } from "./live-region.tsx";
import { Rail } from "./rail.tsx";
import { BranchSwitcher } from "./branch-switcher.tsx";
import { StageArea } from "./stage-area.tsx";
import { Transport } from "./transport.tsx";

const FaultMenu = later(() => import("../faults/fault-menu.tsx"), { failed: () => appStore.setState({ menu: null }) });
const Projector = later(() => import("./projector.tsx"), { failed: () => appStore.setState({ projector: false }) });
const TabBar = later(() => import("./tab-bar.tsx"));

const dialogOf = (fetch: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  later(fetch, { failed: () => appStore.setState({ dialog: null }) });
const compare = dialogOf(() => import("../compare/compare-view.tsx"));

const dialogs: { readonly [D in NonNullable<App["dialog"]>]: ComponentType } = {
  edit: dialogOf(() => import("./edit-dialog.tsx")),
  help: dialogOf(() => import("./help-dialog.tsx")),
  palette: dialogOf(() => import("./palette.tsx")),
  failure: dialogOf(() => import("./failure-dialog.tsx")),
  restore: dialogOf(() => import("../restore/restore-dialog.tsx")),
  compare,
  diff: compare,
  guarantees: dialogOf(() => import("../guarantees/guarantees-view.tsx")),
  timeouts: dialogOf(() => import("../timeouts/timeouts-view.tsx")),
  passport: dialogOf(() => import("../passport/passport-dialog.tsx")),
  configuration: dialogOf(() => import("../configuration/configuration-drawer.tsx")),
  share: dialogOf(() => import("../sessions/share-dialog.tsx")),
  settings: dialogOf(() => import("../settings/settings-dialog.tsx")),
  legend: dialogOf(() => import("../legend/legend-dialog.tsx")),
};

export function AppRoot({ controller }: { readonly controller: Controller }): ReactElement {
  const text = useText();
  useEffect(() => listenToKeys(controller), [controller]);
  useEffect(() => bringPanelsBehind(), []);
  useEffect(() => watchIdle(), []);
  useEffect(() => followFocus(), []);
  useEffect(() => followSettings(controller), [controller]);
  useEffect(() => prepareAhead(), []);
  useEffect(() => {
    if (hasBreakpoints()) void import("../stops/stop-keys.ts").then(({ install }) => install(controller));
  }, [controller]);
  return (
    <ControllerContext value={controller}>
      <Tooltip.Provider delayDuration={400}>
        <a className="skip-link" href="#stage" onClick={() => changeSettings({ front: "stage" })}>
          {text.skipToStage}
        </a>
        <Shell />
        <ProjectorMode />
        <Menus />
        <Dialogs />
        <LiveRegion />
      </Tooltip.Provider>
    </ControllerContext>
  );
}

/** On a phone the stage or a panel is in front, and a bar of tabs leads from one to the other. */
function Shell(): ReactElement {
  const phone = usePhone();
  const front = useApp((app) => (phone ? app.settings.front : undefined));
  return (
    <div className="app" data-front={front}>
      <Header />
      <Banners />
      {phone ? <BranchSwitcher /> : null}
      <main className="main">
        <StageArea />
        <Rail />
      </main>
      <Transport />
      {front === "stage" ? null : <Dock />}
      {phone ? <TabBar /> : null}
    </div>
  );
}

function ProjectorMode(): ReactElement | null {
  const on = useApp((app) => app.projector);
  if (!on) return null;
  return <Projector />;
}

function Menus(): ReactElement | null {
  const open = useApp((app) => app.menu !== null);
  if (!open) return null;
  return <FaultMenu />;
}

function Dialogs(): ReactElement | null {
  const dialog = useApp((app) => app.dialog);
  if (dialog === null) return null;
  const Shown = dialogs[dialog];
  return <Shown />;
}
