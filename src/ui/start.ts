/**
 * What stands on the page first, without React: the colours, the stage in a frame of the shell's measures, and a job that
 * runs. The shell follows and takes the stage over.
 */
import type { Controller } from "./controller.ts";
import { firstRun } from "./first-run.ts";
import { isFirstVisit, loadSettings } from "./settings.ts";
import { mountStage } from "./stage-driver.ts";
import { stageHost } from "./stage-host.ts";
import { appStore } from "./store.ts";
import { applyTheme } from "./theme.ts";

export function start(controller: Controller, root: Element): void {
  const settings = loadSettings();
  appStore.setState({ settings });
  applyTheme();
  root.append(frame(settings.dockHeight));
  mountStage(stageHost, () => controller.player.toggle());
  const opened = { keepTime: false, play: true };
  if (isFirstVisit() && location.hash === "") {
    appStore.setState({ tour: true });
    void import("./tour/orders-run.ts").then(({ ordersRun }) => controller.open(ordersRun, opened));
  } else controller.open(firstRun, opened);
}

function frame(dockHeight: number): HTMLElement {
  const area = element("section", "stage-area", stageHost);
  const app = element(
    "div",
    "app",
    element("div", "header"),
    element("div", "main", area, element("div", "rail")),
    element("div", "transport"),
    element("div", "dock"),
  );
  app.style.setProperty("--dock-height", `${dockHeight}px`);
  return app;
}

function element(tag: string, className: string, ...children: readonly HTMLElement[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}
