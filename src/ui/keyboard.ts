/** Single-key shortcuts. In a text field none acts; on a control the keys that the control itself uses do not act. */
import { tinykeys } from "tinykeys";
import { at } from "../base/assert.ts";
import { changeSettings, changeSpeed, select, showDialog, showSweep } from "./app-actions.ts";
import type { Controller } from "./controller.ts";
import { canFail } from "./can-fail.ts";
import { dockTabs } from "./settings.ts";
import { openMenuAtElement } from "./stage-anchor.ts";
import { type Direction, type StepKind, stepBy } from "./steps.ts";
import { appStore } from "./store.ts";

type Bindings = { readonly [key: string]: (event: KeyboardEvent) => void };

function inTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== "range" && target.type !== "checkbox" && target.type !== "radio";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
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
  return target instanceof Element && target.closest("[role=tablist], [role=menu], [role=rowgroup], select") !== null;
}

function modalOpen(): boolean {
  const { dialog, menu } = appStore.getState();
  return dialog !== null || menu !== null;
}

export function listenToKeys(controller: Controller): () => void {
  const guarded = Object.fromEntries(
    Object.entries({ ...playbackKeys(controller), ...jobKeys(controller), ...viewKeys() }).map(([key, act]) => [
      key,
      (event: KeyboardEvent) => {
        if (event.defaultPrevented || modalOpen() || inTextField(event.target)) return;
        act(event);
      },
    ]),
  );
  return tinykeys(window, guarded);
}

function playbackKeys(controller: Controller): Bindings {
  const step = (kind: StepKind, direction: Direction) => (event: KeyboardEvent) => {
    event.preventDefault();
    stepBy(controller, kind, direction);
  };
  return {
    Space: (event) => {
      if (onControl(event.target)) return;
      event.preventDefault();
      controller.player.toggle();
    },
    v: () => controller.player.toggle(),
    ".": step("event", 1),
    ",": step("event", -1),
    // Where these are typed with Shift depends on the keyboard's layout.
    ">": step("phase", 1),
    "Shift+>": step("phase", 1),
    "<": step("phase", -1),
    "Shift+<": step("phase", -1),
    n: step("checkpoint", 1),
    "Shift+N": step("checkpoint", -1),
    x: step("failure", 1),
    "Shift+X": step("failure", -1),
    "[": () => changeSpeed(-1),
    "]": () => changeSpeed(1),
    Home: (event) => (scrolls(event.target) ? undefined : controller.toStart()),
    End: (event) => (scrolls(event.target) ? undefined : controller.toEnd()),
  };
}

function jobKeys(controller: Controller): Bindings {
  const fail = (event: KeyboardEvent): void => {
    event.preventDefault();
    const { selection } = appStore.getState();
    if (canFail(selection)) openMenuAtElement(selection);
    else controller.announce({ says: "selectFirst" });
  };
  const undo = (event: KeyboardEvent): void => {
    event.preventDefault();
    controller.undo();
  };
  const branches = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      `Alt+Digit${index + 1}`,
      (event: KeyboardEvent) => {
        event.preventDefault();
        controller.switchBranch(index);
      },
    ]),
  );
  return {
    f: fail,
    "Shift+F10": fail,
    u: undo,
    "$mod+z": undo,
    c: () =>
      controller.inject({ do: "trigger-checkpoint", target: null, rpc: null, checkpoint: null, count: 1, for: null }),
    s: () => openMenuAtElement({ kind: "jobManager", id: 0 }),
    w: () => document.querySelector<HTMLButtonElement>("#why")?.click(),
    ...branches,
  };
}

function viewKeys(): Bindings {
  const digits = Object.fromEntries(
    dockTabs
      .filter((tab) => tab !== "selected")
      .map((_, index) => [String(index + 1), () => changeSettings({ dock: at(dockTabs, index) })]),
  );
  return {
    ...digits,
    e: () => changeSettings({ dock: "events" }),
    k: () => showSweep(),
    m: () => showDialog("compare"),
    g: () => showDialog("guarantees"),
    t: () => showDialog("timeouts"),
    j: () => showDialog("configuration"),
    "?": () => showDialog("help"),
    "Shift+?": () => showDialog("help"),
    Escape: () => select(null),
  };
}
