/** What is left of the records of part files where some were cut off (SK-182). */
import type { Kernel } from "./kernel.ts";
import { Entry, EntryKind } from "./log-broker/partitions.ts";

/** Entries without what is gone: a truncation takes away what is behind a file's valid length. */
export function withoutCutOff(k: Kernel, entries: readonly number[]): number[] {
  const { sequences } = k.arena;
  const word = (entry: number, field: number): number => sequences.item(entry, field);
  const gone = new Set<number>();
  const places = new Map<number, number[]>();
  entries.forEach((entry, offset) => {
    const file = word(entry, Entry.transaction);
    const records = places.get(file) ?? [];
    if (word(entry, Entry.kind) === EntryKind.record) places.set(file, [...records, offset]);
    if (word(entry, Entry.kind) !== EntryKind.truncation) return;
    const length = word(entry, Entry.value);
    for (const place of records.slice(length)) gone.add(place);
    places.set(file, records.slice(0, length));
  });
  return entries.filter((_, offset) => !gone.has(offset));
}
