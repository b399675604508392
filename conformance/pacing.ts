/** Periodic checkpoints go by the clock, so only what holds at any pace is compared. */
import type { Fact, Run } from "./compare.ts";
import { type Recording, scenarioSource } from "./recording.ts";

interface Checkpoint {
  readonly id: number;
  readonly status: string;
  readonly triggered: number;
  readonly ended: number | null;
}

/** Timers are up to so late, in milliseconds of real time. */
const LATE = 100;

/** Scenarios whose checkpoints are periodic. */
export const isPaced = (id: string): boolean => id.startsWith("pacing-");

export function pace({ report }: Run, recording: Recording): Fact {
  const { config } = scenarioSource(recording.scenario) as { config: { [key: string]: string } };
  const told = (rows: readonly Checkpoint[]): unknown => {
    const gaps = (from: (each: Checkpoint) => number): number[] =>
      rows.slice(1).map(({ triggered }, index) => triggered - from(rows[index] as Checkpoint));
    const pending = rows.map(
      ({ id, triggered }) => rows.filter((each) => each.id <= id && (each.ended ?? Infinity) > triggered).length,
    );
    return {
      "ids in turn": rows.every(({ id }, index) => id === index + 1),
      failed: rows.filter(({ status }) => status === "FAILED").length,
      "pending at most": Math.max(...pending),
      "interval kept": gaps(({ triggered }) => triggered).every(
        (gap) => gap >= milliseconds(config["execution.checkpointing.interval"]) - LATE,
      ),
      "pause kept": gaps(({ ended }) => ended ?? -Infinity).every(
        (gap) => gap >= milliseconds(config["execution.checkpointing.min-pause"]) || gap < 0,
      ),
      any: rows.length > 0,
      several: rows.length > 2,
    };
  };
  return { about: "pace", engine: told(report.checkpoints), flink: told(recording.checkpoints) };
}

function milliseconds(duration = "0 ms"): number {
  const [number = "0", unit = "ms"] = duration.split(" ");
  return Number(number) * (unit === "s" ? 1000 : 1);
}
