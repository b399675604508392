/** The words for what is outside the job: partitions that are read, and what readers see of the sinks. */
import type { Reader } from "../../protocol/sinks.ts";
import type { InputFrame, OutputFrame } from "../../view/stage/frame-types-outside.ts";
import { plural } from "./plural.ts";
import { sentence } from "./sentence.ts";

export function describeInput({ name, length, position, restorePosition, groupOffset, start }: InputFrame): string {
  return sentence(
    `Partition ${name}`,
    start > 0 ? `retention has left offsets from ${start}` : null,
    `read up to offset ${position} of ${length}`,
    restorePosition === null ? null : `a recovery would go back to ${restorePosition}`,
    groupOffset === null ? null : `consumer group at ${groupOffset}`,
  );
}

/** `read_committed`, `finished files`. */
export const readerName = (reader: Reader): string => reader.replace("-", " ");

export function seesWords(reader: Reader, count: number): string {
  return reader === "table" ? `table of ${plural(count, "row", "rows")}` : `${readerName(reader)} sees ${count}`;
}

const files: { readonly [state: string]: string } = {
  PRE_COMMITTED: "pending",
  COMMITTED: "finished",
  ABORTED: "discarded",
  TIMED_OUT: "discarded",
};

export function fileState(state: string): string {
  return files[state] ?? "in-progress";
}

export function describeOutput({ name, length, lastStable, store, readers: all, entries }: OutputFrame): string {
  return sentence(
    `Partition ${name}`,
    `${length} entries${store === "log" ? `, last stable offset ${lastStable}` : ""}`,
    all.map(({ reader, sees }) => seesWords(reader, sees)).join(", "),
    entries
      .map((entry) =>
        entry.is === "row"
          ? `${entry.name} ${entry.history.at(-1) ?? ""}${entry.back ? ", gone back" : ""}`
          : `${entry.name} ${fileState(entry.look.label)} ${entry.records}`,
      )
      .join("; "),
  );
}
