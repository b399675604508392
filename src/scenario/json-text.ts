/**
 * JSON text as people write it: where its first mistake is, by line and column, and which keys an object has twice
 * (`JSON.parse` tells no place in every runtime, and keeps the last of two equal keys in silence). The value itself comes
 * from `JSON.parse`.
 */
import type { Problem, Result } from "../base/result.ts";
import { pathOf, shown } from "./problems.ts";

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const DEEPEST = 100;

type Path = readonly (string | number)[];

export function parseJson(text: string): Result<unknown> {
  const scanner = new Scanner(text);
  const mistake = scanner.document();
  if (mistake !== null) return { ok: false, problems: [mistake] };
  if (scanner.twice.length > 0) return { ok: false, problems: scanner.twice };
  return { ok: true, value: JSON.parse(text) as unknown };
}

/** Thrown and caught in this file only: the scan ends at the first mistake. */
class Mistake extends Error {}

class Scanner {
  readonly twice: Problem[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Problem | null {
    try {
      this.value([], 0);
      if (this.at < this.text.length) throw new Mistake("the document ends here; only one value may stand in it");
      return null;
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      const before = this.text.slice(0, this.at).split("\n");
      const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
      const found = this.text[this.at];
      return {
        path: "",
        value: found === undefined ? "the end of the text" : shown(found),
        message: `Not JSON: ${place}: ${error.message}.`,
      };
    }
  }

  private value(path: Path, depth: number): void {
    if (depth > DEEPEST) throw new Mistake(`nested deeper than ${DEEPEST} levels`);
    this.match(space);
    const first = this.text[this.at];
    if (first === "{") this.members(path, depth);
    else if (first === "[") this.items(path, depth);
    else if (!this.match(first === '"' ? string : scalar))
      throw new Mistake(
        first === '"' ? "this string does not end, or holds a sign that must be escaped" : "a value is expected",
      );
    this.match(space);
  }

  private members(path: Path, depth: number): void {
    const keys = new Set<string>();
    this.list("}", () => {
      const from = this.at;
      if (!this.match(string))
        throw new Mistake('a key in double quotes is expected; a comma before "}" is not allowed');
      const key = JSON.parse(this.text.slice(from, this.at)) as string;
      if (keys.has(key))
        this.twice.push({ path: pathOf([...path, key]), value: shown(key), message: "This key is given twice." });
      keys.add(key);
      this.match(space);
      if (this.text[this.at] !== ":") throw new Mistake('":" is expected');
      this.at++;
      this.value([...path, key], depth + 1);
    });
  }

  private items(path: Path, depth: number): void {
    let index = 0;
    this.list("]", () => this.value([...path, index++], depth + 1));
  }

  private list(end: "}" | "]", element: () => void): void {
    this.at++;
    this.match(space);
    if (this.text[this.at] === end) {
      this.at++;
      return;
    }
    for (;;) {
      this.match(space);
      element();
      this.match(space);
      const next = this.text[this.at];
      if (next !== "," && next !== end) throw new Mistake(`"," or "${end}" is expected`);
      this.at++;
      if (next === end) return;
    }
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const matched = pattern.test(this.text);
    if (matched) this.at = pattern.lastIndex;
    return matched;
  }
}
