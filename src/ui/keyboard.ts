/** Every key of the page, in one table: the listener, the `?` sheet, the settings and the command palette read it. */
import { at } from "../base/assert.ts";
import { changeSettings, select, showDialog, showSweep, toggleProjector } from "./app-actions.ts";
import { canFail } from "./can-fail.ts";
import type { Controller } from "./controller.ts";
import { fetched } from "./fetched.ts";
import { toggleFoldIdle } from "./fold-idle.ts";
import { redo, undo } from "./history.ts";
import { dockTabs, speeds } from "./setting-choices.ts";
import { phone } from "./media.ts";
import { focusElement, openMenuAtElement } from "./stage-anchor.ts";
import { type Direction, type StepKind, stepBy } from "./steps.ts";
import type * as StopKeys from "./stops/stop-keys.ts";
import { appStore } from "./store.ts";
import { toggleWhy } from "./toggle-why.ts";
import type { BindingName } from "./text/en-keys.ts";
import { currentText } from "./text/use-text.ts";

export interface Binding {
  /** Its words: `text/en-keys.ts`. */
  readonly name: BindingName;
  readonly group: "playback" | "job" | "graph" | "view";
  /** As the sheet shows them. */
  readonly shown: string;
  /** In the notation of tinykeys. None: the part that has the focus listens itself (`view/stage/keyboard.ts`). */
  readonly keys?: readonly string[];
  /** `which` of the keys it was. */
  readonly act?: (controller: Controller, which: number) => void | Promise<void>;
  /** Where the focus stands on something that uses the key itself. */
  readonly unless?: (target: EventTarget | null, key: string) => boolean;
  /** In text fields and under dialogs too. */
  readonly anywhere?: true;
}

/** Something has the focus that is worked with the space bar or the arrow keys. */
export function onControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("button, a, input, select, [role=button], [role=tab], [role=menuitem], [role=slider]") !== null
  );
}

/** Something has the focus in which Home and End lead to the first and the last. */
function scrolls(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("[role=tablist], [role=menu], [role=rowgroup], [role=treegrid], [role=separator], select") !== null
  );
}

const step = (kind: StepKind, direction: Direction) => (controller: Controller) => stepBy(controller, kind, direction);

function changeSpeed(direction: 1 | -1): void {
  const { speed } = appStore.getState().settings;
  const next = speeds[speeds.indexOf(speed) + direction];
  if (next !== undefined) changeSettings({ speed: next });
}

function fail(controller: Controller): void {
  const { selection } = appStore.getState();
  if (canFail(selection)) openMenuAtElement(selection);
  else controller.announce({ says: "selectFirst" });
}

/** From the inspector back to what it shows; there, nothing is selected any more. */
function oneLevelUp(): void {
  const { selection } = appStore.getState();
  if (selection === null || document.activeElement?.closest(".inspector") === null) return select(null);
  // On a phone the stage has to come first.
  if (phone.matches) changeSettings({ front: "stage" });
  requestAnimationFrame(() => focusElement(selection));
}

/** What is decided in the menu makes the branch: without a decision the same future would come again. */
function forkHere(controller: Controller): void {
  const { selection } = appStore.getState();
  controller.player.pause();
  openMenuAtElement(canFail(selection) ? selection : { kind: "jobManager", id: 0 });
  controller.announce({ says: "words", words: currentText().live.forkHere });
}

export function restart(controller: Controller): void {
  controller.toStart();
  controller.player.play();
}

/** What the run comes to if it fails here or there. */
function toggleOutcomeStrip(): void {
  const { dock, outcomeStrip } = appStore.getState().settings;
  changeSettings({ dock: "timeline", outcomeStrip: dock !== "timeline" || !outcomeStrip });
}

export function triggerCheckpoint(controller: Controller): void {
  controller.inject({ do: "trigger-checkpoint", target: null, rpc: null, checkpoint: null, count: 1, for: null });
}

function showTab(which: number): void {
  changeSettings({ dock: at(dockTabs, which) });
}

/** Breakpoints, loops and running to something are fetched with the first of their keys. */
const stop = (act: (keys: typeof StopKeys, controller: Controller) => void) => async (controller: Controller) => {
  const keys = await fetched(import("./stops/stop-keys.ts"));
  if (keys === null) return;
  keys.install(controller);
  act(keys, controller);
};

/** The last tab is in the rail where there is room for one: it has no digit, and there are only nine. */
const digits = dockTabs
  .slice(0, -1)
  .slice(0, 9)
  .map((_, index) => String(index + 1));
const branchKeys = Array.from({ length: 9 }, (_, index) => `Alt+Digit${index + 1}`);

/** Where `>` and `<` are typed with Shift depends on the keyboard's layout. */
export const bindings: readonly Binding[] = [
  {
    name: "playPause",
    group: "playback",
    shown: "Space V",
    keys: ["Space", "v"],
    act: ({ player }) => player.toggle(),
    unless: (target, key) => key === "Space" && onControl(target),
  },
  { name: "forward", group: "playback", shown: ".", keys: ["."], act: step("event", 1) },
  { name: "back", group: "playback", shown: ",", keys: [","], act: step("event", -1) },
  { name: "phaseForward", group: "playback", shown: ">", keys: [">", "Shift+>"], act: step("phase", 1) },
  { name: "phaseBack", group: "playback", shown: "<", keys: ["<", "Shift+<"], act: step("phase", -1) },
  { name: "checkpointForward", group: "playback", shown: "N", keys: ["n"], act: step("checkpoint", 1) },
  { name: "checkpointBack", group: "playback", shown: "Shift+N", keys: ["Shift+N"], act: step("checkpoint", -1) },
  { name: "failureForward", group: "playback", shown: "X", keys: ["x"], act: step("failure", 1) },
  { name: "failureBack", group: "playback", shown: "Shift+X", keys: ["Shift+X"], act: step("failure", -1) },
  { name: "restart", group: "playback", shown: "R", keys: ["r"], act: restart },
  { name: "foldIdle", group: "playback", shown: "Z", keys: ["z"], act: toggleFoldIdle },
  { name: "slower", group: "playback", shown: "[", keys: ["["], act: () => changeSpeed(-1) },
  { name: "faster", group: "playback", shown: "]", keys: ["]"], act: () => changeSpeed(1) },
  {
    name: "start",
    group: "playback",
    shown: "Home",
    keys: ["Home"],
    act: (controller) => controller.toStart(),
    unless: scrolls,
  },
  {
    name: "end",
    group: "playback",
    shown: "End",
    keys: ["End"],
    act: (controller) => controller.toEnd(),
    unless: scrolls,
  },
  {
    name: "breakpoint",
    group: "playback",
    shown: "B",
    keys: ["b"],
    act: stop((keys, controller) => keys.toggleHere(controller)),
  },
  {
    name: "nextStop",
    group: "playback",
    shown: "Shift+B",
    keys: ["Shift+B"],
    act: stop((keys, controller) => keys.toHit(controller, 1)),
  },
  {
    name: "runTo",
    group: "playback",
    shown: "Shift+R",
    keys: ["Shift+R"],
    act: stop((keys, controller) => keys.runToSelected(controller)),
  },
  {
    name: "loopFrom",
    group: "playback",
    shown: "{",
    keys: ["{", "Shift+{"],
    act: stop((keys, controller) => keys.loopEdge(controller, "from")),
  },
  {
    name: "loopTo",
    group: "playback",
    shown: "}",
    keys: ["}", "Shift+}"],
    act: stop((keys, controller) => keys.loopEdge(controller, "to")),
  },
  {
    name: "loopOff",
    group: "playback",
    shown: "\\",
    keys: ["\\"],
    act: stop((keys, controller) => keys.setLoop(controller, null)),
  },

  { name: "fail", group: "job", shown: "F Shift+F10", keys: ["f", "Shift+F10"], act: fail },
  { name: "undo", group: "job", shown: "U Ctrl+Z", keys: ["u", "$mod+z"], act: undo },
  { name: "redo", group: "job", shown: "Shift+U Ctrl+Shift+Z", keys: ["Shift+U", "$mod+Shift+z"], act: redo },
  { name: "forkHere", group: "job", shown: "Y", keys: ["y"], act: forkHere },
  { name: "checkpointNow", group: "job", shown: "C", keys: ["c"], act: triggerCheckpoint },
  {
    name: "savepointMenu",
    group: "job",
    shown: "S",
    keys: ["s"],
    act: () => openMenuAtElement({ kind: "jobManager", id: 0 }),
  },
  {
    name: "spaceTime",
    group: "view",
    shown: "M",
    keys: ["m"],
    act: () => changeSettings({ dock: "spaceTime" }),
  },
  {
    name: "why",
    group: "job",
    shown: "W",
    keys: ["w"],
    act: toggleWhy,
  },
  { name: "sweep", group: "job", shown: "K", keys: ["k"], act: showSweep },
  { name: "compare", group: "job", shown: "Shift+M", keys: ["Shift+M"], act: () => showDialog("compare") },
  { name: "diff", group: "job", shown: "D", keys: ["d"], act: () => showDialog("diff") },
  { name: "guarantees", group: "job", shown: "G", keys: ["g"], act: () => showDialog("guarantees") },
  { name: "passport", group: "job", shown: "T", keys: ["t"], act: () => showDialog("passport") },
  { name: "timeouts", group: "job", shown: "Shift+T", keys: ["Shift+T"], act: () => showDialog("timeouts") },
  { name: "configuration", group: "job", shown: "J", keys: ["j"], act: () => showDialog("configuration") },
  {
    name: "branch",
    group: "job",
    shown: "Alt+1 … Alt+9",
    keys: branchKeys,
    act: (controller, which) => controller.switchBranch(which),
  },

  { name: "walk", group: "graph", shown: "↑ ↓ ← →" },
  { name: "skip", group: "graph", shown: "Alt+← Alt+→" },
  { name: "ends", group: "graph", shown: "Home End" },
  { name: "vertices", group: "graph", shown: "PgUp PgDn" },
  { name: "choose", group: "graph", shown: "Space" },
  { name: "inspect", group: "graph", shown: "Enter" },
  { name: "zoom", group: "graph", shown: "+ - 0" },

  {
    name: "palette",
    group: "view",
    shown: "Ctrl+K",
    keys: ["$mod+k"],
    act: () => showDialog("palette"),
    anywhere: true,
  },
  { name: "search", group: "view", shown: "/", keys: ["/", "Shift+/"], act: () => showDialog("palette") },
  { name: "outcomeStrip", group: "view", shown: "H", keys: ["h"], act: toggleOutcomeStrip },
  { name: "legend", group: "view", shown: "Shift+K", keys: ["Shift+K"], act: () => showDialog("legend") },
  { name: "settings", group: "view", shown: "Shift+P", keys: ["Shift+P"], act: () => showDialog("settings") },
  { name: "dock", group: "view", shown: `1 … ${digits.length}`, keys: digits, act: (_, which) => showTab(which) },
  { name: "share", group: "view", shown: "Shift+S", keys: ["Shift+S"], act: () => showDialog("share") },
  { name: "events", group: "view", shown: "E", keys: ["e"], act: () => changeSettings({ dock: "events" }) },
  { name: "outline", group: "view", shown: "O", keys: ["o"], act: () => changeSettings({ dock: "outline" }) },
  { name: "projector", group: "view", shown: "P", keys: ["p"], act: toggleProjector },
  { name: "laser", group: "view", shown: "L" },
  { name: "help", group: "view", shown: "?", keys: ["?", "Shift+?"], act: () => showDialog("help") },
  { name: "close", group: "view", shown: "Esc", keys: ["Escape"], act: oneLevelUp },
];
