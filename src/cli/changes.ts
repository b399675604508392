/** What the command line changes in a scenario before it is read: `--seed`, `--set` and `--fault`. */

export type Changed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

interface Changes {
  readonly seed: string | null;
  readonly set: readonly string[];
  readonly faults: readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy of the document with the changes in the order seed, settings, faults. What they mean is for the parser to say. */
export function changed(document: unknown, { seed, set, faults }: Changes): Changed {
  const copy = structuredClone(document);
  if (!isObject(copy))
    return seed === null && set.length + faults.length === 0
      ? { ok: true, value: copy }
      : refuse("the scenario is not a JSON object, so nothing in it can be changed");
  if (seed !== null) copy["seed"] = plain(seed);
  for (const setting of set) {
    const message = apply(copy, setting);
    if (message !== null) return refuse(message);
  }
  for (const text of faults) {
    try {
      const list = Array.isArray(copy["faults"]) ? (copy["faults"] as unknown[]) : [];
      copy["faults"] = [...list, JSON.parse(text) as unknown];
    } catch (error) {
      return refuse(`--fault ${text}: not JSON (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return { ok: true, value: copy };
}

function refuse(message: string): Changed {
  return { ok: false, message };
}

/** `3` and `true` are JSON, `1 s` is a text. */
function plain(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Carries out one `KEY=VALUE`; returns what is wrong with it. */
function apply(document: Record<string, unknown>, setting: string): string | null {
  const equals = setting.indexOf("=");
  if (equals <= 0) return `--set ${setting}: must be KEY=VALUE`;
  const [key, value] = [setting.slice(0, equals), plain(setting.slice(equals + 1))];
  if (key.startsWith("/")) return put(document, key, value);
  const config = document["config"] ?? {};
  if (!isObject(config)) return `--set ${setting}: "config" is not an object`;
  define(config, key, value);
  document["config"] = config;
  return null;
}

/** Sets the place that a JSON pointer (RFC 6901) names; objects on the way are made, `-` appends to a list. */
function put(document: Record<string, unknown>, pointer: string, value: unknown): string | null {
  const parts = pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  let here: unknown = document;
  for (const [depth, part] of parts.entries()) {
    const last = depth === parts.length - 1;
    if (Array.isArray(here)) {
      const index = part === "-" ? here.length : Number(part);
      if (!/^(-|0|[1-9]\d*)$/.test(part) || index > here.length)
        return `--set ${pointer}: the list has no place ${part}`;
      if (last) here[index] = value;
      else here = here[index] ??= {};
    } else if (isObject(here)) {
      if (last) define(here, part, value);
      else {
        if (!Object.hasOwn(here, part)) define(here, part, {});
        here = here[part];
      }
    } else return `--set ${pointer}: ${parts.slice(0, depth).join("/")} is neither an object nor a list`;
  }
  return null;
}

/** An own key, whatever its name: `__proto__` reaches no prototype, and the parser refuses it. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
