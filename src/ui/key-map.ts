/**
 * Which keys act for which binding: those of the table, and in the place of its single ones what somebody has chosen. Keys
 * with Ctrl or Alt, Space, Esc, the digits of the panels and those inside the graph stay what they are.
 */
import { type Binding, bindings } from "./keyboard.ts";
import type { BindingName } from "./text/en-keys.ts";

/** By binding: a letter, a sign, or `Shift+` and a letter. */
export type KeyMap = { readonly [name: string]: string };

/** A letter, a digit or a sign alone (WCAG 2.1.4). */
export function isSingle(key: string): boolean {
  return key.replace("Shift+", "").length === 1;
}

export function canBeRemapped({ name, keys = [] }: Binding): boolean {
  return name !== "dock" && keys.some(isSingle);
}

/** A key as it may stand in a map. */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && /^(?:Shift\+[A-Z]|[^A-Z\s])$/u.test(value);
}

/** The key of a map that was pressed; `null`: it is none that may stand there. */
export function pressedKey({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): string | null {
  if (ctrlKey || altKey || metaKey) return null;
  const upper = key !== key.toLowerCase();
  const named = upper ? `Shift+${key}` : key;
  return isKey(named) ? named : null;
}

/** In the notation of tinykeys. Where a sign is typed with Shift depends on the keyboard's layout. */
export function keysOf(binding: Binding, map: KeyMap): readonly string[] {
  const chosen = map[binding.name];
  const { keys = [] } = binding;
  if (chosen === undefined || !isKey(chosen) || !canBeRemapped(binding)) return keys;
  const others = keys.filter((key) => !isSingle(key));
  return /^[a-z]$|^Shift/.test(chosen) ? [...others, chosen] : [...others, chosen, `Shift+${chosen}`];
}

/** As sheet, palette and tooltips show them. */
export function shownKeys(binding: Binding, map: KeyMap): string {
  const chosen = map[binding.name];
  if (chosen === undefined || !isKey(chosen) || !canBeRemapped(binding)) return binding.shown;
  const others = binding.shown.split(" ").filter((key) => !isSingle(key));
  return [chosen.length === 1 ? chosen.toUpperCase() : chosen, ...others].join(" ");
}

/** The binding that has the key already, other than this one; `null`: it is free. */
export function ownerOf(key: string, but: BindingName, map: KeyMap): BindingName | null {
  const owner = bindings.find((binding) => binding.name !== but && holds(binding, key, map));
  return owner?.name ?? null;
}

/** Bindings without keys here are listened to where they act: what is shown of them is taken as well. */
function holds(binding: Binding, key: string, map: KeyMap): boolean {
  if (binding.keys === undefined) return binding.shown.toLowerCase().split(" ").includes(key.toLowerCase());
  return keysOf(binding, map).includes(key);
}

/** The map with another key for a binding; that of the table needs no entry. */
export function remapped(map: KeyMap, name: BindingName, key: string): KeyMap {
  const others = Object.fromEntries(Object.entries(map).filter(([each]) => each !== name));
  const own = bindings.find((binding) => binding.name === name)?.keys ?? [];
  return own.includes(key) ? others : { ...others, [name]: key };
}
