/** Figures as people read them. Simulated time only: milliseconds in, seconds out. */

/** `3.021 s`: always to the millisecond, the unit of simulated time, so that no two moments look the same. */
export function clockTime(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

/** `20 ms`, `1.5 s`, `15 min`; seconds with so many digits behind the point. */
export function duration(ms: number, digits = 2): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1000, digits)} s`;
  return `${trimmed(ms / 60_000)} min`;
}

export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${trimmed(bytes / 1024)} KB`;
  return `${trimmed(bytes / (1024 * 1024))} MB`;
}

let group = ",";

/** What stands between thousands from now on. */
export function groupBy(separator: string): void {
  group = separator;
}

/** `40,000`. */
export function count(value: number): string {
  return value.toLocaleString("en").replaceAll(",", group);
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${Math.round((part / whole) * 100)}%`;
}

function trimmed(value: number, digits = 2): string {
  return value.toFixed(digits).replace(/\.?0+$/, "");
}
