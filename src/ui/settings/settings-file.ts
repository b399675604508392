/** Settings as a file, for a class or another machine: written whole, read with every value checked. */
import type { Problem, Result } from "../../base/result.ts";
import { canBeRemapped, isKey, ownerOf } from "../key-map.ts";
import { bindings } from "../keyboard.ts";
import { allows, choices } from "../setting-choices.ts";
import { type Settings, defaultSettings } from "../settings.ts";
import { settingsText } from "../text/settings-text.ts";

/** What belongs to this page and not to a person: it is neither written nor read. */
const own = ["visited", "hintSeen", "dock", "front", "rail", "dockHeight", "railWidth", "sweepFailures"] as const;
type Own = (typeof own)[number];
export type Portable = Omit<Settings, Own>;

const portable = Object.keys(defaultSettings).filter((key) => !(own as readonly string[]).includes(key));

export function settingsFile(settings: Settings): string {
  const kept = Object.entries(settings).filter(([key]) => portable.includes(key));
  return `${JSON.stringify({ settings: Object.fromEntries(kept) }, null, 2)}\n`;
}

export function readSettings(text: string): Result<Partial<Portable>> {
  const words = settingsText().problems;
  const refuse = (path: string, value: unknown, message: string): Result<never> => ({
    ok: false,
    problems: [{ path, value: value === undefined ? "" : JSON.stringify(value), message }],
  });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refuse("", undefined, words.notJson(error instanceof Error ? error.message : ""));
  }
  if (!isObject(document) || !isObject(document["settings"])) return refuse("", undefined, words.noSettings);
  const { settings } = document;
  const problems = Object.entries(settings).flatMap(([key, value]): readonly Problem[] => {
    const path = `settings.${key}`;
    if (!portable.includes(key))
      return [{ path, value: JSON.stringify(value), message: words.unknown(portable.join(", ")) }];
    if (key === "keys") return keyProblems(value);
    return allows(key, value) ? [] : [{ path, value: JSON.stringify(value), message: allowedOf(key) }];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: settings };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function allowedOf(key: string): string {
  const { problems } = settingsText();
  const allowed: readonly unknown[] = choices[key as keyof Settings] ?? [true, false];
  return problems.allowed(allowed.map((each) => JSON.stringify(each)).join(", "));
}

/** A key that is none, one of nothing that acts, and one that two have. */
function keyProblems(keys: unknown): Problem[] {
  const { problems } = settingsText();
  if (!isObject(keys)) return [{ path: "settings.keys", value: JSON.stringify(keys), message: problems.keysObject }];
  const map = Object.fromEntries(Object.entries(keys).filter((entry): entry is [string, string] => isKey(entry[1])));
  return Object.entries(keys).flatMap(([name, key]): readonly Problem[] => {
    const path = `settings.keys.${name}`;
    const value = JSON.stringify(key);
    const binding = bindings.find((each) => each.name === name);
    if (binding === undefined || !canBeRemapped(binding))
      return [
        {
          path,
          value,
          message: problems.noBinding(
            bindings
              .filter(canBeRemapped)
              .map((each) => each.name)
              .join(", "),
          ),
        },
      ];
    if (!isKey(key)) return [{ path, value, message: problems.noKey }];
    const owner = ownerOf(key, binding.name, map);
    return owner === null ? [] : [{ path, value, message: problems.taken(owner) }];
  });
}
