/** The calculator's figures as they are typed: Flink durations, and a number of attempts that may be without limit. */
import { formatDuration, parseDuration } from "../../scenario/durations.ts";
import { count, duration } from "../format.ts";
import { type TimeoutField, bounds } from "../../scenario/timeouts/timeouts.ts";

/** What is typed in a field stands for; `NaN`: nothing. */
export function figureOf(field: TimeoutField, text: string): number {
  if (field !== "attempts") return text.trim() === "" ? Number.NaN : (parseDuration(text) ?? Number.NaN);
  if (text.trim() === "") return bounds.attempts.most;
  return /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN;
}

export function textOf(field: TimeoutField, value: number): string {
  if (field !== "attempts") return formatDuration(value);
  return value === bounds.attempts.most ? "" : String(value);
}

/** `27 ms`, `1.03 s`, `1 min 1.09 s`: nothing is rounded away, since a millisecond may decide. */
export function exactly(milliseconds: number): string {
  if (milliseconds < 60_000) return duration(milliseconds, 3);
  const minutes = Math.floor(milliseconds / 60_000);
  const rest = milliseconds % 60_000;
  return rest === 0 ? `${count(minutes)} min` : `${count(minutes)} min ${duration(rest, 3)}`;
}
