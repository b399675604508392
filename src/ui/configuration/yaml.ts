/** `config.yaml` as Flink reads it (`YamlParserUtils`): nested keys and dotted ones are the same. Fetched with its tab. */
import { LineCounter, parseDocument, stringify } from "yaml";
import type { Scalar } from "../../scenario/option-values.ts";
import type { Draft } from "./draft.ts";

export type Read =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly mistakes: readonly { readonly line: number; readonly message: string }[] };

export function writeYaml(draft: Draft): string {
  return Object.keys(draft).length === 0 ? "" : stringify(draft, { lineWidth: 0 });
}

export function readYaml(text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  if (document.errors.length > 0)
    return {
      ok: false,
      mistakes: document.errors.map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        message: message.split("\n")[0] ?? message,
      })),
    };
  const value: unknown = document.toJS();
  if (value === null || value === undefined) return { ok: true, draft: {} };
  if (typeof value !== "object" || Array.isArray(value))
    return { ok: false, mistakes: [{ line: 1, message: "Must be keys with values, one a line." }] };
  const draft: { [key: string]: Scalar } = {};
  const wrong: string[] = [];
  flatten(value as Nested, "", draft, wrong);
  return wrong.length === 0
    ? { ok: true, draft }
    : {
        ok: false,
        mistakes: wrong.map((key) => ({ line: 1, message: `${key}: must be a text, a number, true or false.` })),
      };
}

type Nested = { readonly [key: string]: unknown };

function flatten(value: Nested, prefix: string, draft: { [key: string]: Scalar }, wrong: string[]): void {
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (typeof inner === "string" || typeof inner === "number" || typeof inner === "boolean") draft[key] = inner;
    else if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
      flatten(inner as Nested, key, draft, wrong);
    else wrong.push(key);
  }
}
