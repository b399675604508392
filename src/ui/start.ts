/** The first thing on the page: what was remembered, and a job that runs. */
import type { Controller } from "./controller.ts";
import { openLibrary } from "./opening.ts";
import { loadSettings } from "./settings.ts";
import { useApp } from "./store.ts";
import { applyTheme } from "./theme.ts";

const FIRST = "order-totals";

export function start(controller: Controller): void {
  useApp.setState({ settings: loadSettings() });
  applyTheme();
  openLibrary(controller, FIRST);
}
