/**
 * A configuration as a job's own code sets it: Flink's constants of the version, each with a value of its type, and the
 * builders of Kafka's connector. What has no public constant is set by its key. Fetched with its tab.
 */
import type { JobVertex, KafkaSinkVertex } from "../../protocol/job-graph.ts";
import { hasOldConnector } from "../../scenario/connector.ts";
import { parseDuration } from "../../scenario/durations.ts";
import { type Option, isBefore, options } from "../../scenario/options.ts";
import { type FlinkVersion, flinkVersions } from "../../scenario/scenario.ts";
import { type Draft, valueIn } from "./draft.ts";
import { constants } from "./java-constants.ts";

/** Where the classes of options that are not in `org.apache.flink.configuration` are. */
const packages: { readonly [name: string]: string } = {
  ExecutionCheckpointingOptions: "org.apache.flink.streaming.api.environment",
  SavepointConfigOptions: "org.apache.flink.runtime.jobgraph",
};
const CONFIGURATION = "org.apache.flink.configuration";

/** The constant of an option in a version, and the type of its value; `null`: there is none. */
export function constantOf({ key }: Option, version: FlinkVersion): { name: string; type: string } | null {
  const known = constants[key] ?? {};
  const from = flinkVersions.findLast((each) => !isBefore(version, each) && known[each] !== undefined);
  const [name, type] = (from === undefined ? null : known[from])?.split(" ") ?? [];
  return name === undefined || type === undefined ? null : { name, type };
}

/** Read by JobManager and TaskManagers as they start; a job sets them where it brings its cluster along. */
const ofCluster = /^(?:jobmanager|heartbeat|slot|task\.|taskmanager|high-availability|web)/;

export interface Sketch {
  readonly version: FlinkVersion;
  readonly draft: Draft;
  readonly vertices: readonly JobVertex[];
  /** What the code says of itself. */
  readonly words: { readonly cluster: string; readonly noConstant: (version: FlinkVersion) => string };
}

export function javaOf({ version, draft, vertices, words }: Sketch): string {
  const imports = new Set([
    `${CONFIGURATION}.Configuration`,
    "org.apache.flink.streaming.api.environment.StreamExecutionEnvironment",
  ]);
  const set = options.flatMap((option) => {
    const value = valueIn(draft, option);
    return value === null ? [] : [{ option, line: lineOf(option, value, version, words.noConstant, imports) }];
  });
  const [job, cluster] = [false, true].map((wanted) =>
    set.filter(({ option }) => ofCluster.test(option.key) === wanted).map(({ line }) => line),
  );
  const body = [
    "Configuration conf = new Configuration();",
    ...(job ?? []),
    ...(cluster?.length === 0 ? [] : ["", `// ${words.cluster}`, ...(cluster ?? [])]),
    "",
    "StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);",
    ...vertices.flatMap((vertex) => builderOf(vertex, version, imports)),
  ];
  return `${[...imports]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `import ${name};`)
    .join("\n")}\n\n${body.join("\n")}\n`;
}

function lineOf(
  option: Option,
  value: string,
  version: FlinkVersion,
  noConstant: (version: FlinkVersion) => string,
  imports: Set<string>,
): string {
  const constant = constantOf(option, version);
  if (constant === null) return `conf.setString("${option.key}", ${quoted(value)}); // ${noConstant(version)}`;
  const [owner = ""] = constant.name.split(".");
  imports.add(`${packages[owner] ?? CONFIGURATION}.${owner}`);
  return `conf.set(${constant.name}, ${valueOf(constant.type, value, imports)});`;
}

/** A value of the constant's type; what cannot be one stays as it is written, as the compiler is to say. */
function valueOf(type: string, value: string, imports: Set<string>): string {
  switch (type) {
    case "Boolean":
    case "Integer":
    case "Double":
      return type === "Boolean" ? value.toLowerCase() : value;
    // Milliseconds, where it is a time.
    case "Long":
      return `${/^-?\d+$/.test(value) ? value : (parseDuration(value) ?? value)}L`;
    case "String":
      return quoted(value);
    case "MemorySize":
      imports.add(`${CONFIGURATION}.MemorySize`);
      return `MemorySize.parse(${quoted(value)})`;
    case "Duration":
      imports.add("java.time.Duration");
      return durationOf(value);
    default:
      return constantIn(type, value, imports);
  }
}

/** Of an enumeration, which may lie in a class. */
function constantIn(type: string, value: string, imports: Set<string>): string {
  const [, outer = "", inner = ""] = /^(.*?\.[A-Z]\w*)((?:\.\w+)*)$/.exec(type) ?? [];
  imports.add(outer);
  const name = `${outer.slice(outer.lastIndexOf(".") + 1)}${inner}`;
  return `${name}.${inner === ".SchedulerType" ? value : value.toUpperCase()}`;
}

const units = [
  [3_600_000, "ofHours"],
  [60_000, "ofMinutes"],
  [1000, "ofSeconds"],
  [1, "ofMillis"],
] as const;

function durationOf(value: string): string {
  const milliseconds = parseDuration(value);
  if (milliseconds === null) return quoted(value);
  const [size, name] = units.find(([unit]) => milliseconds >= unit && milliseconds % unit === 0) ?? [1, "ofMillis"];
  return `Duration.${name}(${milliseconds / size})`;
}

const quoted = (text: string): string => JSON.stringify(text);

/** What the job sets at Kafka's connector. */
function builderOf(vertex: JobVertex, version: FlinkVersion, imports: Set<string>): string[] {
  if (vertex.type === "kafka-sink") return sinkOf(vertex, version, imports);
  if (vertex.type !== "kafka-source") return [];
  imports.add("org.apache.flink.connector.kafka.source.KafkaSource");
  return [
    "",
    `KafkaSource<…> ${nameOf(vertex)} = KafkaSource.<…>builder()`,
    `    .setTopics(${quoted(vertex.topic)})`,
    `    .setGroupId(${quoted(vertex.groupId ?? "…")})`,
    `    .setProperty("isolation.level", ${quoted(vertex.isolation)})`,
    `    .setProperty("commit.offsets.on.checkpoint", "${vertex.commitsOffsets}")`,
    "    …",
    "    .build();",
  ];
}

function sinkOf(vertex: KafkaSinkVertex, version: FlinkVersion, imports: Set<string>): string[] {
  const sink = "org.apache.flink.connector.kafka.sink";
  imports.add("org.apache.flink.connector.base.DeliveryGuarantee");
  imports.add(`${sink}.KafkaSink`);
  const isExactlyOnce = vertex.delivery === "exactly-once";
  const naming = isExactlyOnce && !hasOldConnector({ flink: version });
  if (naming) imports.add(`${sink}.TransactionNamingStrategy`);
  return [
    "",
    `KafkaSink<…> ${nameOf(vertex)} = KafkaSink.<…>builder()`,
    "    .setBootstrapServers(…)",
    "    .setRecordSerializer(…)",
    `    .setDeliveryGuarantee(DeliveryGuarantee.${vertex.delivery.toUpperCase().replaceAll("-", "_")})`,
    ...(isExactlyOnce ? [`    .setTransactionalIdPrefix(${quoted(vertex.transactionalIdPrefix)})`] : []),
    ...(naming
      ? [`    .setTransactionNamingStrategy(TransactionNamingStrategy.${vertex.transactionNaming.toUpperCase()})`]
      : []),
    ...(isExactlyOnce ? [`    .setProperty("transaction.timeout.ms", "${vertex.transactionTimeout}")`] : []),
    "    .build();",
  ];
}

/** A uid as a variable may be called. */
function nameOf({ uid }: JobVertex): string {
  const name = uid.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "");
  return /^[A-Za-z]/.test(name) ? name : `vertex${name}`;
}
