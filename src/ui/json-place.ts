/** Where in a JSON text the field is that a path such as `job.vertices[1].parallelism` names. */

export interface TextPlace {
  readonly from: number;
  readonly to: number;
}

/** The value at the path, or the last part of the way that is there; `null` for text that is no JSON. */
export function placeOfPath(text: string, path: string): TextPlace | null {
  const scan = new Scanner(text);
  try {
    return scan.find(pathParts(path));
  } catch {
    return null;
  }
}

/** Keys may hold dots themselves (`execution.checkpointing.interval`), so a part is matched greedily against what is there. */
function pathParts(path: string): string {
  return path.replaceAll(/\[(\d+)\]/g, ".$1").replace(/^\./, "");
}

class Scanner {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  find(path: string): TextPlace {
    this.space();
    const from = this.at;
    const inner = path === "" ? null : this.inside(path);
    if (inner !== null) return inner;
    this.at = from;
    this.skip();
    return { from, to: this.at };
  }

  /** Goes through the members of the object or array here and into the one that the path names. */
  private inside(path: string): TextPlace | null {
    const open = this.text[this.at];
    if (open !== "{" && open !== "[") return null;
    this.at++;
    for (let index = 0; ; index++) {
      this.space();
      const start = this.at;
      if (this.text[this.at] === "}" || this.text[this.at] === "]") return null;
      const key = open === "{" ? this.key() : String(index);
      if (path === key) {
        const { to } = this.find("");
        return { from: start, to };
      }
      if (path.startsWith(`${key}.`)) return this.find(path.slice(key.length + 1));
      this.skip();
      this.space();
      if (this.text[this.at] === ",") this.at++;
    }
  }

  private key(): string {
    const from = this.at;
    this.string();
    const key = JSON.parse(this.text.slice(from, this.at)) as string;
    this.space();
    this.at++;
    return key;
  }

  private skip(): void {
    this.space();
    const open = this.text[this.at];
    if (open === '"') this.string();
    else if (open === "{" || open === "[") this.bracketed();
    else {
      const rest = /^[^\s,\]}]+/.exec(this.text.slice(this.at));
      if (rest === null) throw new Error("no value");
      this.at += rest[0].length;
    }
  }

  private bracketed(): void {
    let depth = 0;
    do {
      const next = this.text[this.at];
      if (next === undefined) throw new Error("not closed");
      if (next === '"') this.string();
      else {
        if (next === "{" || next === "[") depth++;
        if (next === "}" || next === "]") depth--;
        this.at++;
      }
    } while (depth > 0);
  }

  private string(): void {
    const match = /^"(?:[^"\\]|\\.)*"/.exec(this.text.slice(this.at));
    if (match === null) throw new Error("no string");
    this.at += match[0].length;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }
}
