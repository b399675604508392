/** What changes only what is looked at: selection, menus, panels, settings. */
import type { Command } from "../scenario/scenario.ts";
import type { StageElement, Stop } from "../view/stage/elements.ts";
import { type Settings, saveSettings } from "./settings.ts";
import { type Dialog, appStore } from "./store.ts";
import { phone } from "./media.ts";

/** What is told of it comes to the front, unless a phone shows the stage. */
export function select(selection: StageElement | null): void {
  appStore.setState({ selection });
  if (selection !== null && !(phone.matches && appStore.getState().settings.front === "stage")) showInspector();
}

function showInspector(): void {
  changeSettings(phone.matches ? { dock: "selected" } : { rail: "inspector" });
}

/** Selects it and brings the keyboard to what is told of it. */
export function inspect(element: StageElement): void {
  select(element);
  showInspector();
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

/** A panel that is opened comes to the front. */
export function changeSettings(change: Partial<Settings>): void {
  const front = change.dock === undefined ? {} : { front: "panel" as const };
  const settings = { ...appStore.getState().settings, ...front, ...change };
  appStore.setState({ settings });
  saveSettings(settings);
}

/** Opens the kill sweep's panel; where it is to be started gets the focus. */
export function showSweep(): void {
  changeSettings({ dock: "sweep" });
  appStore.setState({ sweepAsked: true });
}
