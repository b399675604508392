/** Durations as Flink writes and reads them (`TimeUtils.parseDuration`, `TimeUtils.formatWithHighestUnit`). */

/** Milliseconds in a unit, and its labels. */
const units: readonly (readonly [number, readonly string[]])[] = [
  [86_400_000, ["d", "day", "days"]],
  [3_600_000, ["h", "hour", "hours"]],
  [60_000, ["min", "m", "minute", "minutes"]],
  [1000, ["s", "sec", "secs", "second", "seconds"]],
  [1, ["ms", "milli", "millis", "millisecond", "milliseconds"]],
  [1e-3, ["µs", "micro", "micros", "microsecond", "microseconds"]],
  [1e-6, ["ns", "nano", "nanos", "nanosecond", "nanoseconds"]],
];

/**
 * The longest duration, in milliseconds: the simulator's clock is a 32-bit number of milliseconds, and a timer may be set
 * at any time of a run that is as long again. About twelve days.
 */
export const LONGEST = 2 ** 30 - 1;

export const DURATION_HELP =
  'a Flink duration: a whole number from 0 on and a unit, such as "500 ms", "10 s", "5 min", "1 h", up to "12 d"';

/**
 * Whole milliseconds of a duration in Flink's notation, cut as `Duration.toMillis` cuts; no unit means milliseconds.
 * `null` where Flink rejects it, and where it is longer than `LONGEST`.
 */
export function parseDuration(given: string | number): number | null {
  const [, number = "", rest = ""] = /^(\d*)(.*)$/su.exec(String(given).trim()) ?? [];
  if (number === "") return null;
  const label = rest.trim().toLowerCase();
  const unit = label === "" ? 1 : units.find(([, labels]) => labels.includes(label))?.[0];
  if (unit === undefined) return null;
  const milliseconds = Math.floor(unit < 1 ? Number(number) / Math.round(1 / unit) : Number(number) * unit);
  return milliseconds > LONGEST ? null : milliseconds;
}

/** A duration in the largest unit that loses nothing: `90 s`, `2 min`. */
export function formatDuration(milliseconds: number): string {
  const [size, labels] = units.find(([unit]) => unit >= 1 && milliseconds % unit === 0 && milliseconds >= unit) ?? [
    1,
    ["ms"],
  ];
  return `${milliseconds / size} ${labels[0] ?? "ms"}`;
}
