/**
 * Every key of the page, in one table: the listener, the `?` sheet and the command palette read it. In a text field no
 * single key acts; on a control the keys that the control itself uses do not act.
 */
import { tinykeys } from "tinykeys";
import { at } from "../base/assert.ts";
import { changeSettings, changeSpeed, select, showDialog, showSweep, toggleProjector } from "./app-actions.ts";
import { canFail } from "./can-fail.ts";
import type { Controller } from "./controller.ts";
import { dockTabs } from "./settings.ts";
import { focusElement, openMenuAtElement } from "./stage-anchor.ts";
import { type Direction, type StepKind, stepBy } from "./steps.ts";
import type * as StopKeys from "./stops/stop-keys.ts";
import { appStore } from "./store.ts";
import type { BindingName } from "./text/en-keys.ts";

export interface Binding {
  /** Its words: `text/en-keys.ts`. */
  readonly name: BindingName;
  readonly group: "playback" | "job" | "graph" | "view";
  /** As the sheet shows them. */
  readonly shown: string;
  /** In the notation of tinykeys. None: the part that has the focus listens itself (`view/stage/keyboard.ts`). */
  readonly keys?: readonly string[];
  /** `which` of the keys it was. */
  readonly act?: (controller: Controller, which: number) => void;
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

function fail(controller: Controller): void {
  const { selection } = appStore.getState();
  if (canFail(selection)) openMenuAtElement(selection);
  else controller.announce({ says: "selectFirst" });
}

/** From the inspector back to what it shows; there, nothing is selected any more. */
function oneLevelUp(): void {
  const { selection } = appStore.getState();
  if (selection !== null && document.activeElement?.closest(".inspector") !== null) focusElement(selection);
  else select(null);
}

function triggerCheckpoint(controller: Controller): void {
  controller.inject({ do: "trigger-checkpoint", target: null, rpc: null, checkpoint: null, count: 1, for: null });
}

function showTab(which: number): void {
  changeSettings({ dock: at(dockTabs, which) });
}

/** Breakpoints, loops and running to something are fetched with the first of their keys. */
const stop = (act: (keys: typeof StopKeys, controller: Controller) => void) => (controller: Controller) => {
  void import("./stops/stop-keys.ts").then((keys) => {
    keys.install(controller);
    act(keys, controller);
  });
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
  { name: "undo", group: "job", shown: "U Ctrl+Z", keys: ["u", "$mod+z"], act: (controller) => controller.undo() },
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
    act: () => document.querySelector<HTMLButtonElement>("#why")?.click(),
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
  { name: "dock", group: "view", shown: `1 … ${digits.length}`, keys: digits, act: (_, which) => showTab(which) },
  { name: "share", group: "view", shown: "Shift+S", keys: ["Shift+S"], act: () => showDialog("share") },
  { name: "events", group: "view", shown: "E", keys: ["e"], act: () => changeSettings({ dock: "events" }) },
  { name: "outline", group: "view", shown: "O", keys: ["o"], act: () => changeSettings({ dock: "outline" }) },
  { name: "projector", group: "view", shown: "P", keys: ["p"], act: toggleProjector },
  { name: "laser", group: "view", shown: "L" },
  { name: "help", group: "view", shown: "?", keys: ["?", "Shift+?"], act: () => showDialog("help") },
  { name: "close", group: "view", shown: "Esc", keys: ["Escape"], act: oneLevelUp },
];

function inTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== "range" && target.type !== "checkbox" && target.type !== "radio";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

function modalOpen(): boolean {
  const { dialog, menu } = appStore.getState();
  return dialog !== null || menu !== null;
}

/** A letter, a digit or a sign alone (WCAG 2.1.4). */
function isSingle(key: string): boolean {
  return key.replace("Shift+", "").length === 1;
}

function acts({ unless, anywhere }: Binding, key: string, { target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || unless?.(target, key) === true) return false;
  if (isSingle(key) && !appStore.getState().settings.singleKeys) return false;
  return anywhere === true || !(modalOpen() || inTextField(target));
}

export function listenToKeys(controller: Controller): () => void {
  const listeners = bindings.flatMap((binding) =>
    (binding.keys ?? []).map((key, which) => [
      key,
      (event: KeyboardEvent): void => {
        if (!acts(binding, key, event)) return;
        event.preventDefault();
        binding.act?.(controller, which);
      },
    ]),
  );
  return tinykeys(window, Object.fromEntries(listeners) as { readonly [key: string]: (event: KeyboardEvent) => void });
}
