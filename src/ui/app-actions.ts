/** What changes only what is looked at: selection, menus, panels, settings. */
import type { StageElement } from "../view/stage/elements.ts";
import { type Settings, saveSettings, speeds } from "./settings.ts";
import { type Dialog, useApp } from "./store.ts";
import { isNarrow } from "./use-media.ts";

/** In one column the selected thing has no place of its own: its panel is opened. */
export function select(selection: StageElement | null): void {
  useApp.setState({ selection });
  if (selection !== null && isNarrow()) changeSettings({ dock: "selected" });
}

/** Opens the fault menu at a place on the page. */
export function openMenu(element: StageElement, x: number, y: number): void {
  const wasPlaying = useApp.getState().playback === "playing";
  useApp.setState({ selection: element, menu: { element, x, y, wasPlaying } });
}

export function showDialog(dialog: Dialog): void {
  useApp.setState({ dialog });
}

export function editScenario(draft: string | null): void {
  useApp.setState({ dialog: "edit", draft });
}

export function changeSettings(change: Partial<Settings>): void {
  const settings = { ...useApp.getState().settings, ...change };
  useApp.setState({ settings });
  saveSettings(settings);
}

export function changeSpeed(direction: 1 | -1): void {
  const { speed } = useApp.getState().settings;
  const next = speeds[speeds.indexOf(speed) + direction];
  if (next !== undefined) changeSettings({ speed: next });
}
