/** The whole app around a controller. */
import { Tooltip } from "radix-ui";
import { type ReactElement, Suspense, lazy, useEffect } from "react";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { ControllerContext } from "../controller-context.ts";
import { prepareAhead } from "../computing/prepare.ts";
import { followSettings } from "../follow-settings.ts";
import { watchIdle } from "../idle.ts";
import { bringPanelsBehind } from "../panels-behind.ts";
import { listenToKeys } from "../key-listener.ts";
import { hasBreakpoints } from "../stops/remembered.ts";
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

const EditDialog = lazy(() => import("./edit-dialog.tsx"));
const HelpDialog = lazy(() => import("./help-dialog.tsx"));
const Palette = lazy(() => import("./palette.tsx"));
const FailureDialog = lazy(() => import("./failure-dialog.tsx"));
const RestoreDialog = lazy(() => import("../restore/restore-dialog.tsx"));
const CompareView = lazy(() => import("../compare/compare-view.tsx"));
const GuaranteesView = lazy(() => import("../guarantees/guarantees-view.tsx"));
const FaultMenu = lazy(() => import("../faults/fault-menu.tsx"));
const ConfigurationDrawer = lazy(() => import("../configuration/configuration-drawer.tsx"));
const TabBar = lazy(() => import("./tab-bar.tsx"));
const Projector = lazy(() => import("./projector.tsx"));
const ShareDialog = lazy(() => import("../sessions/share-dialog.tsx"));
const TimeoutsView = lazy(() => import("../timeouts/timeouts-view.tsx"));
const PassportDialog = lazy(() => import("../passport/passport-dialog.tsx"));

const SettingsDialog = lazy(() => import("../settings/settings-dialog.tsx"));
const LegendDialog = lazy(() => import("../legend/legend-dialog.tsx"));

const dialogs = {
  edit: EditDialog,
  help: HelpDialog,
  palette: Palette,
  failure: FailureDialog,
  restore: RestoreDialog,
  compare: CompareView,
  diff: CompareView,
  guarantees: GuaranteesView,
  timeouts: TimeoutsView,
  passport: PassportDialog,
  configuration: ConfigurationDrawer,
  share: ShareDialog,
  settings: SettingsDialog,
  legend: LegendDialog,
} as const;

export function AppRoot({ controller }: { readonly controller: Controller }): ReactElement {
  const text = useText();
  useEffect(() => listenToKeys(controller), [controller]);
  useEffect(() => bringPanelsBehind(), []);
  useEffect(() => watchIdle(), []);
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
      {phone ? (
        <Suspense fallback={null}>
          <TabBar />
        </Suspense>
      ) : null}
    </div>
  );
}

function ProjectorMode(): ReactElement | null {
  const on = useApp((app) => app.projector);
  if (!on) return null;
  return (
    <Suspense fallback={null}>
      <Projector />
    </Suspense>
  );
}

function Menus(): ReactElement | null {
  const open = useApp((app) => app.menu !== null);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <FaultMenu />
    </Suspense>
  );
}

function Dialogs(): ReactElement | null {
  const dialog = useApp((app) => app.dialog);
  if (dialog === null) return null;
  const Shown = dialogs[dialog];
  return (
    <Suspense fallback={null}>
      <Shown />
    </Suspense>
  );
}
