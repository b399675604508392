import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { library } from "../../scenario/library.ts";
import { isIn, options, spellingOf, standardOf } from "../../scenario/options.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { type FlinkVersion, flinkVersions } from "../../scenario/scenario.ts";
import { constantOf, javaOf } from "./java.ts";

const words = { cluster: "Of the cluster:", noConstant: (version: string) => `no constant in ${version}` };
const sample = { duration: "90 s", int: "2", double: "1.5", boolean: "true", size: "32 kb", string: "none" } as const;
const code = (version: FlinkVersion, draft: { readonly [key: string]: string }): string =>
  javaOf({ version, draft, vertices: [], words });
const offered = flinkVersions.flatMap((version) =>
  options
    .filter((option) => isIn(option, version))
    .map((option) => ({
      version,
      option,
      spelling: spellingOf(option, version),
      value:
        standardOf(option, version) ?? (typeof option.kind === "string" ? sample[option.kind] : (option.kind[0] ?? "")),
    })),
);

/** Read from Flink's class files: version, key, class, constant, type, whether deprecated. */
const recorded = readFileSync(new URL("testing/flink-options.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split("\t"));

test("every key of the drawer has a line that names its constant, or the key where a version has none", () => {
  for (const { version, option, spelling, value } of offered) {
    const constant = constantOf(option, version);
    const lines = code(version, { [spelling]: value }).split("\n");
    expect(
      lines.filter((line) => line.startsWith("conf.")),
      `${version} ${spelling}`,
    ).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("conf."))).toContain(
      constant === null ? `conf.setString("${option.key}", ` : `conf.set(${constant.name}, `,
    );
  }
});

test("each constant is in that version's class files, under the key that it is called there, with that type", () => {
  const named = offered.filter(({ option, version }) => constantOf(option, version) !== null);
  expect(named.length).toBeGreaterThan(250);
  for (const { version, option, spelling } of named) {
    const { name = "", type = "" } = constantOf(option, version) ?? {};
    const found = recorded.find(
      ([at, key, owner = "", field]) =>
        at === version && key === spelling && name === `${owner.split(".").at(-1)}.${field}`,
    );
    expect(found, `${version} ${spelling} ${name}`).toBeDefined();
    expect(found?.[4]?.replaceAll("$", ".").replace(/^java\.(?:lang|time)\./, "")).toMatch(new RegExp(`${type}$`));
    expect(code(version, { [spelling]: "1 s" })).toContain(`import ${found?.[2]};`);
  }
});

test("a key that the version has no more is set by its name", () => {
  expect(offered.filter(({ option, version }) => constantOf(option, version) === null)).toEqual([]);
  const key = "taskmanager.network.memory.buffers-per-channel";
  expect(recorded.filter(([version, name]) => name === key && version !== "1.18" && version !== "1.20")).toEqual([]);
  expect(code("2.2", { [key]: "3" })).toContain(`conf.setString("${key}", "3"); // no constant in 2.2`);
  expect(code("1.20", { [key]: "3" })).toContain(
    "conf.set(NettyShuffleEnvironmentOptions.NETWORK_BUFFERS_PER_CHANNEL, 3);",
  );
});

test("values are of the constant's type, by version", () => {
  const draft = {
    "execution.checkpointing.interval": "90 s",
    "execution.checkpointing.mode": "AT_LEAST_ONCE",
    "heartbeat.timeout": "50 s",
    "execution.checkpointing.data-inline-threshold": "20 kb",
    "jobmanager.scheduler": "Default",
  };
  const now = code("2.2", draft);
  expect(now).toContain("conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(90));");
  expect(now).toContain(
    "conf.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);",
  );
  expect(now).toContain("import org.apache.flink.core.execution.CheckpointingMode;");
  expect(now).toContain("conf.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofSeconds(50));");
  expect(now).toContain('MemorySize.parse("20 kb")');
  expect(now).toContain("JobManagerOptions.SchedulerType.Default");
  expect(now.indexOf("Of the cluster")).toBeLessThan(now.indexOf("HEARTBEAT_TIMEOUT,"));
  expect(now.indexOf("Of the cluster")).toBeGreaterThan(now.indexOf("CHECKPOINTING_INTERVAL,"));
  const old = code("1.18", { "heartbeat.timeout": "50 s", "execution.checkpointing.interval": "90 s" });
  expect(old).toContain("conf.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, 50000L);");
  expect(old).toContain("import org.apache.flink.streaming.api.environment.ExecutionCheckpointingOptions;");
});

test("the sink's builder has what the job says of it; a naming strategy only since the connector 4.0", () => {
  const source = library.find(({ id }) => id === "order-totals")?.source;
  const read = scenarioFrom(source);
  if (!read.ok) throw new Error("order-totals");
  const of = (version: FlinkVersion): string =>
    javaOf({ version, draft: {}, vertices: read.value.job.vertices, words });
  expect(of("2.2")).toContain(".setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)");
  expect(of("2.2")).toContain(".setTransactionNamingStrategy(TransactionNamingStrategy.INCREMENTING)");
  expect(of("2.2")).toContain('.setProperty("transaction.timeout.ms", ');
  expect(of("1.20")).not.toContain("TransactionNamingStrategy");
});
