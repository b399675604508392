/**
 * What stands on the page first, without React: the colours, the stage in a frame of the shell's measures, and a job that
 * runs. The shell follows and takes the stage over.
 */
import type { Controller } from "./controller.ts";
import { firstRun } from "./first-run.ts";
import { defaultSettings, loadSettings } from "./settings.ts";
import { mountStage } from "./stage-driver.ts";
import { stageHost } from "./stage-host.ts";
import { appStore } from "./store.ts";
import { applyTheme } from "./theme.ts";

export function start(controller: Controller, root: Element): void {
  const settings = loadSettings();
  appStore.setState({ settings });
  applyTheme();
  root.setAttribute("style", `--dock-height:${settings.dockHeight}px;--rail-width:${settings.railWidth}px`);
  root.append(frame());
  mountStage(stageHost, () => controller.player.toggle());
  const opened = { keepTime: false, play: true };
  if (settings === defaultSettings && location.hash === "") {
    appStore.setState({ tour: true });
    void import("./tour/orders-run.ts").then(({ ordersRun }) => controller.open(ordersRun, opened));
  } else if (!location.hash.startsWith("#at=")) controller.open(firstRun, opened);
}

function frame(): HTMLElement {
  const main = element("main", element("stage-area", stageHost), element("rail"));
  return element("app", element("header"), main, element("transport"), element("dock"));
}

function element(className: string, ...children: readonly HTMLElement[]): HTMLElement {
  const made = document.createElement("div");
  made.className = className;
  made.append(...children);
  return made;
}
