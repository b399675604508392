/**
 * What a job and its broker set at Kafka, as rows of the form beside Flink's keys: in a draft by `kafka:UID:key` and
 * `broker:key`, in the scenario at the vertex of that uid and under `broker`.
 */
import type { Scalar } from "../../scenario/option-values.ts";
import type { Scenario } from "../../scenario/scenario.ts";

type Json = { readonly [key: string]: unknown };

export interface KafkaKey {
  readonly name: string;
  /** Inside of the vertex. */
  readonly place: readonly string[];
  readonly choices: readonly string[] | null;
  readonly standard: string | null;
}

const property = (name: string, choices: readonly string[] | null, standard: string): KafkaKey => ({
  name,
  place: ["properties", name],
  choices,
  standard,
});
const own = (name: string, choices: readonly string[] | null, standard: string | null): KafkaKey => ({
  name,
  place: [name],
  choices,
  standard,
});

const sinkKeys: readonly KafkaKey[] = [
  own("delivery", ["none", "at-least-once", "exactly-once"], "none"),
  own("transactionalIdPrefix", null, null),
  own("transactionNaming", ["incrementing", "pooling"], "incrementing"),
  property("transaction.timeout.ms", null, "1 h"),
];
const sourceKeys: readonly KafkaKey[] = [
  own("isolationLevel", ["read_uncommitted", "read_committed"], "read_uncommitted"),
  property("commit.offsets.on.checkpoint", ["true", "false"], "true"),
];
const brokerKeys: readonly KafkaKey[] = [
  own("transaction.max.timeout.ms", null, "15 min"),
  own("transaction.abort.timed.out.transaction.cleanup.interval.ms", null, "10 s"),
];

export interface KafkaRow {
  /** In a draft. */
  readonly key: string;
  /** `null`: of the broker. */
  readonly uid: string | null;
  readonly of: KafkaKey;
  /** Where the scenario's reader would say something of it. */
  readonly path: string;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const verticesOf = (document: Json): readonly Json[] => {
  const job = document["job"];
  const vertices = isObject(job) ? job["vertices"] : null;
  return Array.isArray(vertices) ? vertices.filter(isObject) : [];
};
const keysOf = ({ type }: Json): readonly KafkaKey[] =>
  type === "kafka-sink" ? sinkKeys : type === "kafka-source" ? sourceKeys : [];

/** The rows of a scenario's job and broker; without a log there are none. */
export function kafkaRows({ job }: Pick<Scenario, "job">): readonly KafkaRow[] {
  const rows = job.vertices.flatMap((vertex, index) =>
    keysOf({ type: vertex.type }).map((of) => ({
      key: `kafka:${vertex.uid}:${of.name}`,
      uid: vertex.uid,
      of,
      path: `job.vertices[${index}].${of.place.join(".")}`,
    })),
  );
  if (rows.length === 0) return [];
  return [...rows, ...brokerKeys.map((of) => ({ key: `broker:${of.name}`, uid: null, of, path: `broker.${of.name}` }))];
}

export function isKafka(key: string): boolean {
  return key.startsWith("kafka:") || key.startsWith("broker:");
}

/** What a scenario's document sets of these. */
export function kafkaDraft(document: Json): { readonly [key: string]: Scalar } {
  const found: { [key: string]: Scalar } = {};
  const take = (key: string, value: unknown): void => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") found[key] = value;
  };
  for (const vertex of verticesOf(document))
    for (const { name, place } of keysOf(vertex)) take(`kafka:${String(vertex["uid"])}:${name}`, at(vertex, place));
  const broker = document["broker"];
  for (const { name } of brokerKeys) take(`broker:${name}`, isObject(broker) ? broker[name] : undefined);
  return found;
}

function at(value: Json, [first = "", ...rest]: readonly string[]): unknown {
  const inner = value[first];
  return rest.length === 0 ? inner : isObject(inner) ? at(inner, rest) : undefined;
}

/** The document with these set as a draft has them. */
export function withKafka(document: Json, draft: { readonly [key: string]: Scalar }): Json {
  const rows = verticesOf(document);
  if (rows.every((vertex) => keysOf(vertex).length === 0)) return document;
  const vertices = rows.map((vertex) =>
    keysOf(vertex).reduce(
      (made, { name, place }) => put(made, place, draft[`kafka:${String(vertex["uid"])}:${name}`]),
      vertex,
    ),
  );
  const broker = brokerKeys.reduce(
    (made, { name }) => put(made, [name], draft[`broker:${name}`]),
    isObject(document["broker"]) ? document["broker"] : {},
  );
  const { broker: _, ...rest } = document;
  return {
    ...rest,
    job: { ...(document["job"] as Json), vertices },
    ...(Object.keys(broker).length > 0 && { broker }),
  };
}

function put(value: Json, [first = "", ...rest]: readonly string[], to: Scalar | undefined): Json {
  const { [first]: inner, ...others } = value;
  const next = rest.length === 0 ? to : emptied(put(isObject(inner) ? inner : {}, rest, to));
  if (next === undefined) return others;
  // A key that is there keeps its place.
  return first in value ? { ...value, [first]: next } : { ...others, [first]: next };
}

function emptied(value: Json): Json | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** What changes of the job, as an operation writes it; `null`: nothing of it. */
export function kafkaChange(
  { job }: Pick<Scenario, "job">,
  changes: readonly string[],
  draft: { readonly [key: string]: Scalar },
): { readonly vertices: readonly Json[] } | null {
  const rows = kafkaRows({ job }).filter(({ key, uid }) => uid !== null && changes.includes(key));
  if (rows.length === 0) return null;
  const made = new Map<string, Json>();
  for (const { key, uid, of } of rows) {
    const name = uid ?? "";
    made.set(name, put(made.get(name) ?? { uid: name }, of.place, draft[key] ?? of.standard ?? undefined));
  }
  return { vertices: [...made.values()] };
}
