/**
 * Topics and their records (the contract's section 1). A generated record i of a topic has key `key-(i mod keys)`, value
 * `(i mod 10) + 1`, and is dealt round-robin: to partition `i mod partitions`; the k-th record of a partition is there at
 * `k × every`.
 */
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { type Problems, pathOf } from "./problems.ts";
import { type TopicSource, limits } from "./schema.ts";
import type { InputRecord, Topic } from "./scenario.ts";

type Count = number | "unbounded";
interface Part {
  readonly records?: Count | undefined;
  readonly every?: string | number | undefined;
  readonly values?: readonly { readonly key: string; readonly value?: number | undefined }[] | undefined;
}

export function topicOf(name: string, source: TopicSource, horizon: number | null, problems: Problems): Topic {
  const path = ["topics", name];
  const limit = source["transaction.max.timeout.ms"];
  if (source.background !== undefined) problems.add(pathOf([...path, "background"]), source.background, "Another producer's plain records are not simulated yet.");
  const partitions = typeof source.partitions === "object" ? source.partitions.map((part, index) => partOf(part, index, source, horizon, problems, path)) : dealt(source, horizon, problems, path);
  return { name, partitions, transactionMaxTimeout: limit === undefined ? null : milliseconds(limit, [...path, "transaction.max.timeout.ms"], problems) };
}

function milliseconds(text: string | number, path: readonly (string | number)[], problems: Problems): number {
  const parsed = parseDuration(text);
  if (parsed === null) problems.add(pathOf(path), text, `Must be ${DURATION_HELP}.`);
  return parsed ?? 0;
}

/** The whole topic's records, dealt over its partitions. */
function dealt(source: TopicSource, horizon: number | null, problems: Problems, path: readonly string[]): InputRecord[][] {
  const width = typeof source.partitions === "number" ? source.partitions : 1;
  const every = milliseconds(source.every ?? 0, [...path, "every"], problems);
  const partitions = Array.from({ length: width }, (): InputRecord[] => []);
  const count = source.values?.length ?? totalOf(source.records ?? 0, every, width, horizon, problems, path);
  for (let i = 0; i < count; i++) {
    const literal = source.values?.[i];
    const record = literal === undefined ? generated(i, source.keys ?? 1) : { key: literal.key, value: literal.value ?? 1 };
    partitions[i % width]?.push({ ...record, at: Math.floor(i / width) * every });
  }
  return partitions;
}

/** One partition given by itself; its k-th record is record `k × partitions + index` of the topic. */
function partOf(part: Part, index: number, source: TopicSource, horizon: number | null, problems: Problems, path: readonly string[]): InputRecord[] {
  const place = [...path, "partitions", index];
  const every = milliseconds(part.every ?? source.every ?? 0, [...place, "every"], problems);
  const width = typeof source.partitions === "object" ? source.partitions.length : 1;
  const count = part.values?.length ?? totalOf(part.records ?? 0, every, 1, horizon, problems, place);
  return Array.from({ length: count }, (_, k) => {
    const literal = part.values?.[k];
    return { ...(literal === undefined ? generated(k * width + index, source.keys ?? 1) : { key: literal.key, value: literal.value ?? 1 }), at: k * every };
  });
}

function generated(i: number, keys: number): { key: string; value: number } {
  return { key: `key-${i % keys}`, value: (i % 10) + 1 };
}

function totalOf(records: Count, every: number, width: number, horizon: number | null, problems: Problems, path: readonly (string | number)[]): number {
  if (records !== "unbounded") return records;
  const place = pathOf([...path, "records"]);
  if (horizon === null) problems.add(place, records, 'Unbounded input needs an end of the run: "until": { "time": … }.');
  else if (every === 0) problems.add(place, records, 'Unbounded input needs "every", the time between two records of a partition.');
  else {
    const total = (Math.floor(horizon / every) + 1) * width;
    if (total <= limits.records) return total;
    problems.add(place, records, `Until the end of the run that is ${total} records; at most ${limits.records} are simulated.`);
  }
  return 0;
}
