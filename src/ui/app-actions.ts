/** What changes only what is looked at: selection, menus, panels, settings. */
import type { Command } from "../scenario/scenario.ts";
import type { StageElement, Stop } from "../view/stage/elements.ts";
import { type Settings, saveSettings } from "./settings.ts";
import { type Dialog, appStore } from "./store.ts";
import { withoutRail } from "./media.ts";

/** Where there is no rail the selected thing has no place of its own: its panel is opened. */
export function select(selection: StageElement | null): void {
  appStore.setState({ selection });
  if (selection !== null && withoutRail.matches) changeSettings({ dock: "selected" });
}

/** Selects it and brings the keyboard to what is told of it. */
export function inspect(element: StageElement): void {
  select(element);
  appStore.setState({ inspectorAsked: true });
}

export function toggleProjector(): void {
  appStore.setState(({ projector }) => ({ projector: !projector }));
}

/** Opens the fault menu at a place on the page. `back`: what gets the focus again, if not the element on the stage. */
export function openMenu(element: Stop, x: number, y: number, back: HTMLElement | null = null): void {
  const wasPlaying = appStore.getState().playback === "playing";
  appStore.setState({ menu: { element, back, x, y, wasPlaying } });
  if (element.kind !== "vertex") appStore.setState({ selection: element });
}

export function showDialog(dialog: Dialog): void {
  appStore.setState({ dialog });
}

/** Shows what would become of a job that is submitted anew, before it is. */
export function askBefore(command: Command): void {
  appStore.setState({ menu: null, dialog: "restore", asked: command });
}

export function editScenario(draft: string | null): void {
  appStore.setState({ dialog: "edit", draft });
}

export function changeSettings(change: Partial<Settings>): void {
  const settings = { ...appStore.getState().settings, ...change };
  appStore.setState({ settings });
  saveSettings(settings);
}

/** Opens the kill sweep's panel; where it is to be started gets the focus. */
export function showSweep(): void {
  changeSettings({ dock: "sweep" });
  appStore.setState({ sweepAsked: true });
}
