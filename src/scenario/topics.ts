/**
 * Topics and their records (the contract's section 1). Record i of a topic has key `key-(i mod keys)` and value
 * `(i mod 10) + 1`; it is dealt round-robin, to partition `i mod partitions`; the k-th record of a partition is there at
 * `k × every`. Where partitions are given one by one, the k-th record of partition p is record `k × partitions + p`.
 * Defaults: one partition, no records, all there at once (`every` 0), one key, value 1 for a literal record.
 */
import { type JobGraph, isSource } from "../protocol/job-graph.ts";
import { LONGEST } from "./durations.ts";
import { oneOfNames } from "./nearest.ts";
import { limits } from "./limits.ts";
import { type Path, Problems, readBy } from "./problems.ts";
import type { Sections, TopicSource, VertexSource } from "./schema.ts";
import { type FaultSource, faultSchema } from "./schema-faults.ts";
import type { InputSource } from "./schema-input.ts";
import type { InputRecord, Topic } from "./scenario.ts";

/** Until when a run goes on in any case, in milliseconds; `null`: that is not known. */
type Horizon = number | null;
/** Of the faults, those that change what a topic is given. */
interface Changes {
  readonly added: readonly Extract<FaultSource, { do: "add-partition" }>[];
  /** The shortest time between two records that `set-rate` asks for, in milliseconds. */
  readonly fastest: number;
}

function topicOf(name: string, source: TopicSource, horizon: Horizon, changes: Changes, problems: Problems): Topic {
  const path = ["topics", name];
  const each = typeof source.partitions === "object" ? source.partitions : null;
  if (each !== null) {
    for (const key of ["records", "values"] as const) {
      if (source[key] !== undefined)
        problems.add(
          [...path, key],
          source[key],
          "The partitions are given one by one, so each of them says what it holds.",
        );
    }
  }
  const given: readonly (readonly InputRecord[])[] =
    each === null
      ? dealt(source, horizon, changes.fastest, path, problems)
      : each.map((part, index) =>
          recordsOf(
            { every: source.every, keys: source.keys, ...part },
            index,
            each.length,
            horizon,
            changes.fastest,
            [...path, "partitions", index],
            problems,
          ),
        );
  const width = given.length + changes.added.length;
  const later = changes.added.map((part, index) =>
    recordsOf(
      { every: source.every, keys: source.keys, ...part },
      given.length + index,
      width,
      horizon,
      changes.fastest,
      path,
      problems,
    ),
  );
  return {
    name,
    kind: "topic",
    partitions: [...given, ...later],
    transactionMaxTimeout: source["transaction.max.timeout.ms"] ?? null,
    added: later.length,
    transactions: source.transactions ?? null,
    background: source.background?.every ?? null,
  };
}

/** The whole topic's records, dealt over its partitions. */
function dealt(
  source: Pick<TopicSource, keyof InputSource | "partitions">,
  horizon: Horizon,
  fastest: number,
  path: Path,
  problems: Problems,
): InputRecord[][] {
  const width = typeof source.partitions === "number" ? source.partitions : 1;
  const all = totalOf(source, width, horizon, fastest, path, problems);
  const partitions = Array.from({ length: width }, (): InputRecord[] => []);
  for (let i = 0; i < all; i++) partitions[i % width]?.push(recordAt(source, i, i, Math.floor(i / width)));
  return partitions;
}

/** One partition's records where it is given by itself. */
function recordsOf(
  part: InputSource,
  index: number,
  width: number,
  horizon: Horizon,
  fastest: number,
  path: Path,
  problems: Problems,
): InputRecord[] {
  const count = totalOf(part, 1, horizon, fastest, path, problems);
  return Array.from({ length: count }, (_, k) => recordAt(part, k, k * width + index, k));
}

/** The literal record at `place`, or the generated one with this number; the k-th of its partition. */
function recordAt({ values, keys = 1, every = 0 }: InputSource, place: number, number: number, k: number): InputRecord {
  const literal = values?.[place];
  const { key, value = 1 } = literal ?? { key: `key-${number % keys}`, value: (number % 10) + 1 };
  return { key, value, at: k * every };
}

/** How many records there are in all: given, or as many as may come until the run ends. */
function totalOf(
  source: InputSource,
  width: number,
  horizon: Horizon,
  fastest: number,
  path: Path,
  problems: Problems,
): number {
  const { records, every = 0, values } = source;
  if (values !== undefined && records !== undefined)
    problems.add([...path, "records"], records, 'Either "records" or "values" says what is there.');
  const total =
    values?.length ??
    (records === "unbounded"
      ? unbounded(every, width, horizon, fastest, [...path, "records"], problems)
      : (records ?? 0));
  if (Math.ceil(total / width) * every > LONGEST) {
    problems.add(
      [...path, "every"],
      every,
      `The last record would be there after more than ${LONGEST} ms, which is longer than this program counts.`,
    );
    return 0;
  }
  return total;
}

function unbounded(
  every: number,
  width: number,
  horizon: Horizon,
  fastest: number,
  path: Path,
  problems: Problems,
): number {
  if (horizon === null)
    problems.add(path, "unbounded", 'Unbounded input needs an end of the run: "until": { "time": … }.');
  else if (every === 0 || fastest === 0)
    problems.add(path, "unbounded", 'Unbounded input needs "every", the time between two records of a partition.');
  else {
    const total = (Math.floor(horizon / Math.min(every, fastest)) + 1) * width;
    if (total <= limits.records) return total;
    problems.add(
      path,
      "unbounded",
      `Until the end of the run that is ${total} records; at most ${limits.records} are simulated.`,
    );
  }
  return 0;
}

/** What a source is given that reads no topic. Files are dealt like partitions; one subtask reads one file at least. */
function ownInput(vertex: VertexSource, horizon: Horizon, path: Path, problems: Problems): Topic[] {
  const named = { name: vertex.uid, transactionMaxTimeout: null, added: 0, transactions: null, background: null };
  switch (vertex.type) {
    case "file-source": {
      const partitions = vertex.files ?? vertex.parallelism ?? 1;
      return [
        { ...named, kind: "files", partitions: dealt({ ...vertex, partitions }, horizon, Infinity, path, problems) },
      ];
    }
    case "socket-source":
      return [
        {
          ...named,
          kind: "connection",
          partitions: dealt({ ...vertex, partitions: 1 }, horizon, Infinity, path, problems),
        },
      ];
    case "database-source": {
      const { records = 0, changes = 0, every = 0, keys } = vertex;
      const rows = Array.from({ length: records }, (_, i) => recordAt({ keys, every: 0 }, i, i, 0));
      const changed = Array.from({ length: changes }, (_, i) => recordAt({ keys, every }, i, records + i, i + 1));
      return [{ ...named, kind: "table", partitions: [[...rows, ...changed]] }];
    }
    default:
      return [];
  }
}

/** Faults are read in full elsewhere; one that is wrong changes nothing here. */
function changesOf(topic: string, faults: readonly unknown[]): Changes {
  const own = faults.flatMap((fault) => {
    const read = readBy(faultSchema, fault, [], new Problems());
    return read !== undefined && "topic" in read && read.topic === topic ? [read] : [];
  });
  return {
    added: own.filter((fault) => fault.do === "add-partition"),
    fastest: Math.min(Infinity, ...own.flatMap((fault) => (fault.do === "set-rate" ? [fault.every] : []))),
  };
}

/** All topics; `null` where the section itself could not be read. */
export function topicsOf(
  {
    topics,
    until,
    job,
    faults,
  }: Pick<Partial<Sections>, "topics" | "until" | "job"> & {
    readonly faults?: readonly unknown[];
  },
  problems: Problems,
): Topic[] | null {
  if (problems.within("topics")) return null;
  const horizon = until?.kind === "time" ? until.time : null;
  const all = Object.entries(topics ?? {});
  if (all.length > limits.topics) {
    problems.add(["topics"], `${all.length} topics`, `At most ${limits.topics} topics are simulated.`);
    return null;
  }
  const log = all.map(([name, topic]) => topicOf(name, topic, horizon, changesOf(name, faults ?? []), problems));
  const own = (job?.vertices ?? []).flatMap((vertex, index) =>
    ownInput(vertex, horizon, ["job", "vertices", index], problems),
  );
  for (const { name } of log)
    if (own.some((other) => other.name === name))
      problems.add(
        ["topics", name],
        name,
        "A source that brings its own input has this uid; one of them needs another.",
      );
  const list = [...log, ...own];
  const total = list.reduce(
    (sum, { partitions }) => sum + partitions.reduce((inner, { length }) => inner + length, 0),
    0,
  );
  if (total > limits.records)
    problems.add(["topics"], `${total} records`, `At most ${limits.records} records are simulated.`);
  return list;
}

/** The topics that the job names are there, and none is both read and written; another producer is only beside a sink. */
export function checkTopics({ vertices }: JobGraph, topics: readonly Topic[], problems: Problems): void {
  const names = topics.flatMap(({ name, kind }) => (kind === "topic" ? [name] : []));
  const written = vertices.flatMap((vertex) => (vertex.type === "kafka-sink" ? [vertex.topic] : []));
  for (const { name, background } of topics) {
    if (background === null || written.includes(name)) continue;
    const message = 'No kafka-sink writes this topic. What other producers write to an input topic is its "records".';
    problems.add(["topics", name, "background"], { every: background }, message);
  }
  vertices.forEach((vertex, index) => {
    if (!("topic" in vertex) || (vertex.topic === vertex.uid && isSource(vertex) && vertex.type !== "kafka-source"))
      return;
    const path = ["job", "vertices", index, "topic"];
    if (!names.includes(vertex.topic))
      problems.add(path, vertex.topic, `"topics" has no such topic.${oneOfNames(vertex.topic, names)}`);
    if (vertex.type === "kafka-sink" && vertices.some((other) => isSource(other) && other.topic === vertex.topic)) {
      problems.add(
        path,
        vertex.topic,
        "The job reads this topic too; reading what the job itself writes is not simulated yet.",
      );
    }
  });
}
