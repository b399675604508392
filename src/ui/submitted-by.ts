/** The operations that have submitted the jobs of a run so far, but for the first. */
import { places } from "../projection/fields.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Command } from "../scenario/scenario.ts";

const { fault } = places("JobSubmitted");

export function submittedBy(log: EventLog, step: number, commands: readonly Command[]): Command[] {
  return Array.from({ length: step + 1 }, (_, at) => at).flatMap((at) => {
    const command = log.type(at) === EventNumber.JobSubmitted ? commands[log.field(at, fault)] : undefined;
    return command === undefined ? [] : [command];
  });
}
