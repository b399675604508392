/**
 * Makes a scenario that goes wrong smaller while it still goes wrong in the same way: fewer failures, fewer records, less
 * parallelism, fewer choices. What "the same way" is, is for the caller to say. A smaller job takes other steps, so it is
 * asked for a failing scenario of its own (`again`): the search looks once more.
 */
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Document } from "./schedule.ts";

interface Minimiser {
  /** Does a scenario still go wrong as it is? */
  readonly fails: (scenario: Scenario) => boolean;
  /** A document with this job and input that goes wrong; `null`: none was found. */
  readonly again: (document: Document) => Document | null;
}

const isObject = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The smallest document that could be found, each step one that fails; the document itself where nothing can go. */
export function minimise(document: Document, { fails, again }: Minimiser): Document {
  const holds = (candidate: Document): boolean => {
    const read = scenarioFrom(candidate);
    return read.ok && fails(read.value);
  };
  let smallest = without(document, "faults", holds);
  for (let shrunk = true; shrunk;) {
    shrunk = false;
    for (const candidate of smaller(smallest)) {
      const found = holds(candidate) ? candidate : again(candidate);
      if (found === null) continue;
      smallest = without(found, "faults", holds);
      shrunk = true;
      break;
    }
  }
  return without(smallest, "schedule", holds);
}

/** Leaves out of a list what is not needed, in pieces that get smaller. */
function without(document: Document, key: string, holds: (document: Document) => boolean): Document {
  let list = listOf(document[key]);
  for (let size = list.length; size >= 1; size >>= 1) {
    for (let at = 0; at < list.length;) {
      const rest = [...list.slice(0, at), ...list.slice(at + size)];
      if (holds({ ...document, [key]: rest })) list = rest;
      else at += size;
    }
  }
  return list.length === listOf(document[key]).length ? document : { ...document, [key]: list };
}

/** Documents one step smaller: half the records of a topic or one less, half the parallelism of a vertex or one less. */
function* smaller(document: Document): Generator<Document> {
  const topics = isObject(document["topics"]) ? document["topics"] : {};
  for (const [name, topic] of Object.entries(topics)) {
    if (!isObject(topic)) continue;
    for (const fewer of fewerThan(recordsOf(topic)))
      yield { ...document, topics: { ...topics, [name]: cut(topic, fewer) } };
  }
  const job = isObject(document["job"]) ? document["job"] : {};
  const vertices = listOf(job["vertices"]);
  const narrowed = (width: (of: number, index: number) => number): Document => ({
    ...document,
    job: { ...job, vertices: vertices.map((vertex, index) => narrow(vertex, (of) => width(of, index))) },
  });
  const widest = Math.max(1, ...vertices.map(widthOf));
  // Neighbours by forward must stay equally wide, so all go first.
  for (const fewer of fewerThan(widest)) yield narrowed((of) => Math.min(of, fewer));
  for (const [index, vertex] of vertices.entries())
    for (const fewer of fewerThan(widthOf(vertex))) yield narrowed((of, other) => (other === index ? fewer : of));
}

function fewerThan(count: number): number[] {
  return [...new Set([count >> 1, count - 1])].filter((fewer) => fewer >= 1 && fewer < count);
}

function widthOf(vertex: unknown): number {
  return isObject(vertex) && typeof vertex["parallelism"] === "number" ? vertex["parallelism"] : 1;
}

function narrow(vertex: unknown, width: (of: number) => number): unknown {
  return isObject(vertex) && widthOf(vertex) > 1 ? { ...vertex, parallelism: width(widthOf(vertex)) } : vertex;
}

/** How many records a topic of a document holds at most in one of its lists. */
function recordsOf(topic: Document): number {
  const { records, values, partitions } = topic;
  if (typeof records === "number") return records;
  if (Array.isArray(values)) return values.length;
  return Math.max(0, ...listOf(partitions).map((part) => (isObject(part) ? recordsOf(part) : 0)));
}

function cut(topic: Document, most: number): Document {
  const { records, values, partitions } = topic;
  return {
    ...topic,
    ...(records !== undefined && { records: Math.min(most, typeof records === "number" ? records : most) }),
    ...(Array.isArray(values) && { values: values.slice(0, most) }),
    ...(Array.isArray(partitions) && {
      partitions: partitions.map((part) => (isObject(part) ? cut(part, most) : (part as unknown))),
    }),
  };
}

/** A document whose topics hold so many records at most; faults that name others are left out. */
export function shortened(document: Document, most: number): Document {
  const topics = isObject(document["topics"]) ? document["topics"] : {};
  const short: Document = {
    ...document,
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, topic]) => [name, isObject(topic) ? cut(topic, most) : topic]),
    ),
  };
  const read = scenarioFrom({ ...short, faults: [], until: "drained" });
  if (!read.ok) return short;
  return { ...short, faults: listOf(short["faults"]).filter((fault) => !namesLeftOut(fault, read.value)) };
}

/** Does a fault wait for a record that is not there? */
function namesLeftOut(fault: unknown, { topics }: Scenario): boolean {
  const moment = isObject(fault) ? fault["at"] : null;
  const record = isObject(moment) && typeof moment["record"] === "string" ? moment["record"] : "";
  const [, name, partition, offset] = /^(.+)-(\d+)@(\d+)$/.exec(record) ?? [];
  const found = topics.find((topic) => topic.name === name)?.partitions[Number(partition)];
  return found !== undefined && Number(offset) >= found.length;
}
