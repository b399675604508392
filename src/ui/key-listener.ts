/**
 * Listens to the keys of the page's table. In a text field no single key acts; on a control the keys that the control
 * itself uses do not act.
 */
import { tinykeys } from "tinykeys";
import type { Controller } from "./controller.ts";
import { InTurn } from "./in-turn.ts";
import { isSingle, keysOf } from "./key-map.ts";
import { type Binding, bindings } from "./keyboard.ts";
import { appStore } from "./store.ts";

/** A key whose code is still being fetched is overtaken by none. */
const turns = new InTurn();

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

function acts({ unless, anywhere }: Binding, key: string, { target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || unless?.(target, key) === true) return false;
  if (isSingle(key) && !appStore.getState().settings.singleKeys) return false;
  return anywhere === true || !(modalOpen() || inTextField(target));
}

/** Listens until the returned function is called; anew whenever somebody has chosen other keys. */
export function listenToKeys(controller: Controller): () => void {
  let stop = listen(controller);
  const follow = appStore.subscribe(
    (app) => app.settings.keys,
    () => {
      stop();
      stop = listen(controller);
    },
  );
  return () => {
    follow();
    stop();
  };
}

function listen(controller: Controller): () => void {
  const { keys: map } = appStore.getState().settings;
  const listeners = bindings.flatMap((binding) =>
    keysOf(binding, map).map((key, which) => [
      key,
      (event: KeyboardEvent): void => {
        if (!acts(binding, key, event)) return;
        event.preventDefault();
        turns.do(() => binding.act?.(controller, which));
      },
    ]),
  );
  return tinykeys(window, Object.fromEntries(listeners) as { readonly [key: string]: (event: KeyboardEvent) => void });
}
