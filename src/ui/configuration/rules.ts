/**
 * Rules of a configuration as a person needs them (R-01 and on): at which key, how grave, and what mends it. Flink's own
 * words, where it has any, are the scenario's reader's; these say what to do.
 */
import { executionGraph } from "../../scenario/execution-graph.ts";
import { parseDuration } from "../../scenario/durations.ts";
import { type Option, findOption, spellingOf, standardOf } from "../../scenario/options.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { overtakingEdges } from "../../scenario/unaligned-edges.ts";
import { type Draft, changed, valueIn } from "./draft.ts";
import { kafkaRows } from "./kafka.ts";

export interface Fix {
  readonly label: string;
  readonly to: Draft;
}

export interface Rule {
  readonly id: string;
  /** A key of Flink by its newest spelling, or one of the draft's for Kafka. */
  readonly key: string;
  readonly kind: "blocks" | "corrects" | "warns" | "info";
  readonly message: string;
  readonly fixes: readonly Fix[];
}

export interface Given {
  readonly draft: Draft;
  /** The last that could be read: the job, its broker and its timing. */
  readonly scenario: Scenario;
  /** Milliseconds that the longest completed checkpoint of the run took; `null`: none did. */
  readonly longest: number | null;
}

const ck = (name: string): string => `execution.checkpointing.${name}`;

/** A draft as rules look at it. */
class Look {
  readonly draft: Draft;
  readonly scenario: Scenario;

  constructor({ draft, scenario }: Given) {
    this.draft = draft;
    this.scenario = scenario;
  }

  text(key: string): string | null {
    const option = optionOf(key);
    return valueIn(this.draft, option) ?? standardOf(option, this.scenario.flink);
  }

  isSet(key: string): boolean {
    return valueIn(this.draft, optionOf(key)) !== null;
  }

  is(key: string, value: string): boolean {
    return this.text(key)?.toUpperCase() === value.toUpperCase();
  }

  number(key: string): number {
    return Number(this.text(key));
  }

  time(key: string): number | null {
    const text = this.text(key);
    return text === null ? null : parseDuration(text);
  }

  fix(label: string, ...set: readonly (readonly [string, string | null])[]): Fix {
    const { flink } = this.scenario;
    return { label, to: set.reduce((draft, [key, value]) => changed(draft, optionOf(key), value, flink), this.draft) };
  }
}

function optionOf(key: string): Option {
  const option = findOption(key);
  if (option === undefined) throw new Error(`no option ${key}`);
  return option;
}

export function rulesOf(given: Given): readonly Rule[] {
  const look = new Look(given);
  return [
    ...unaligned(look),
    ...concurrency(look),
    ...withoutInterval(look),
    ...times(look, given.longest),
    ...storage(look),
    ...least(look),
    ...oldKeys(look),
    ...transactions(look),
  ];
}

function unaligned(look: Look): Rule[] {
  const on = look.is(ck("unaligned.enabled"), "true");
  const off = look.fix("Turn unaligned off", [ck("unaligned.enabled"), null]);
  if (!on)
    return (look.time(ck("aligned-checkpoint-timeout")) ?? 0) > 0
      ? [
          {
            id: "R-03",
            key: ck("aligned-checkpoint-timeout"),
            kind: "warns",
            message: "This timeout only acts when unaligned is on.",
            fixes: [
              look.fix("Turn unaligned on", [ck("unaligned.enabled"), "true"]),
              look.fix("Clear it", [ck("aligned-checkpoint-timeout"), null]),
            ],
          },
        ]
      : [];
  const rules: Rule[] = [];
  if (look.is(ck("mode"), "AT_LEAST_ONCE"))
    rules.push({
      id: "R-01",
      key: ck("unaligned.enabled"),
      kind: "corrects",
      message: "Unaligned checkpoints need EXACTLY_ONCE, so they stay off.",
      fixes: [look.fix("Switch mode", [ck("mode"), null]), off],
    });
  if (look.number(ck("max-concurrent-checkpoints")) > 1)
    rules.push({
      id: "R-02",
      key: ck("max-concurrent-checkpoints"),
      kind: "blocks",
      message: "Unaligned works with one checkpoint at a time.",
      fixes: [look.fix("Set max-concurrent to 1", [ck("max-concurrent-checkpoints"), null]), off],
    });
  const graph = executionGraph(look.scenario);
  const overtakes = overtakingEdges(graph, look.scenario.flink);
  const kept = graph.channels.filter(({ edge }) => overtakes[edge] !== true).length;
  if (kept > 0)
    rules.push({
      id: "R-21",
      key: ck("unaligned.enabled"),
      kind: "info",
      message: `${kept} of ${graph.channels.length} connections stay aligned: pointwise, broadcast, or inside a sink.`,
      fixes: [],
    });
  return rules;
}

function concurrency(look: Look): Rule[] {
  const most = look.number(ck("max-concurrent-checkpoints"));
  if (most <= 1 || (look.time(ck("min-pause")) ?? 0) <= 0) return [];
  return [
    {
      id: "R-04",
      key: ck("min-pause"),
      kind: "warns",
      message: `The runtime accepts both: up to ${most} checkpoints may overlap, and the pause counts from the last completion only.`,
      fixes: [
        look.fix("Keep pause", [ck("max-concurrent-checkpoints"), null]),
        look.fix("Keep concurrency", [ck("min-pause"), null]),
      ],
    },
  ];
}

function withoutInterval(look: Look): Rule[] {
  if (look.time(ck("interval")) !== null) return [];
  const fixes = [look.fix("Set an interval", [ck("interval"), "2 s"])];
  const sink = look.scenario.job.vertices.find(
    (each) => each.type === "kafka-sink" && each.delivery === "exactly-once",
  );
  const strategy = look.text("restart-strategy.type");
  const rules: Rule[] = [];
  if (sink !== undefined)
    rules.push({
      id: "R-05",
      key: ck("interval"),
      kind: "warns",
      message: `Without checkpoints ${sink.uid} commits nothing before the input ends: until then readers see nothing.`,
      fixes,
    });
  if (strategy !== null && !["none", "off", "disable"].includes(strategy.toLowerCase()))
    rules.push({
      id: "R-06",
      key: "restart-strategy.type",
      kind: "warns",
      message: "Tasks will restart, their state will not come back: there are no checkpoints.",
      fixes,
    });
  return rules;
}

function times(look: Look, longest: number | null): Rule[] {
  const [interval, timeout, backlog] = ["interval", "timeout", "interval-during-backlog"].map((name) =>
    look.time(ck(name)),
  );
  const rules: Rule[] = [];
  if (longest !== null && timeout !== undefined && timeout !== null && timeout <= longest)
    rules.push({
      id: "R-07",
      key: ck("timeout"),
      kind: "warns",
      message: `Checkpoints of this run take up to ${longest} ms; the timeout is ${timeout} ms. Those will expire.`,
      fixes: [look.fix("Raise the timeout", [ck("timeout"), `${longest * 3} ms`])],
    });
  if (typeof interval === "number" && typeof backlog === "number" && backlog > 0 && backlog < interval)
    rules.push({
      id: "R-08",
      key: ck("interval-during-backlog"),
      kind: "blocks",
      message: `Must be 0 (off) or at least the interval, ${look.text(ck("interval"))}.`,
      fixes: [
        look.fix("Set it to the interval", [ck("interval-during-backlog"), look.text(ck("interval"))]),
        look.fix("Clear it", [ck("interval-during-backlog"), null]),
      ],
    });
  return rules;
}

/** A directory that does for a run here. */
const DIRECTORY = "s3://demo/checkpoints";

function storage(look: Look): Rule[] {
  const [chosen, dir] = [look.text(ck("storage")), look.text(ck("dir"))];
  if (chosen === "filesystem" && dir === null)
    return [
      {
        id: "R-12",
        key: ck("storage"),
        kind: "blocks",
        message: "Filesystem storage needs execution.checkpointing.dir.",
        fixes: [look.fix("Set a directory", [ck("dir"), DIRECTORY])],
      },
    ];
  const onHeap = chosen === "jobmanager" || (chosen === null && dir === null);
  if (!onHeap || ["NONE", "NULL"].includes(look.text("high-availability.type")?.toUpperCase() ?? "NONE")) return [];
  return [
    {
      id: "R-13",
      key: "high-availability.type",
      kind: "info",
      message:
        "A new leader can read these checkpoints, but they live in the JobManager's heap, 5 MB per state at most.",
      fixes: [look.fix("Use filesystem storage", [ck("storage"), "filesystem"], [ck("dir"), dir ?? DIRECTORY])],
    },
  ];
}

/** the least that Flink takes. */
const bounds = [
  [ck("interval"), "10 ms"],
  [ck("timeout"), "10 ms"],
  [ck("max-concurrent-checkpoints"), "1"],
  [ck("tolerable-failed-checkpoints"), "0"],
] as const;

function least(look: Look): Rule[] {
  return bounds.flatMap(([key, bound]): Rule[] => {
    const option = optionOf(key);
    const value = option.kind === "duration" ? look.time(key) : look.number(key);
    const limit = option.kind === "duration" ? parseDuration(bound) : Number(bound);
    if (!look.isSet(key) || value === null || limit === null || !(value < limit)) return [];
    const message = `${key} must be at least ${bound}.`;
    return [{ id: "R-23", key, kind: "blocks", message, fixes: [look.fix(`Set ${bound}`, [key, bound])] }];
  });
}

function oldKeys({ draft, scenario: { flink } }: Look): Rule[] {
  return Object.keys(draft).flatMap((spelling): Rule[] => {
    const option = findOption(spelling);
    if (option === undefined) return [];
    const current = spellingOf(option, flink);
    if (spelling === current || spelling === option.key) return [];
    const { [spelling]: value, ...rest } = draft;
    const fixes = value === undefined ? [] : [{ label: "Rename", to: { ...rest, [current]: value } }];
    return [{ id: "R-22", key: option.key, kind: "corrects", message: `${spelling} is now ${current}.`, fixes }];
  });
}

/** how long a transaction may live, and whose name it has. */
function transactions(look: Look): Rule[] {
  const { draft, scenario } = look;
  const rows = kafkaRows(scenario);
  const seen = new Set<string>();
  return scenario.job.vertices.flatMap((vertex): Rule[] => {
    if (vertex.type !== "kafka-sink" || vertex.delivery !== "exactly-once") return [];
    const key = (name: string): string => `kafka:${vertex.uid}:${name}`;
    const timeout = rows.find((row) => row.key === key("transaction.timeout.ms"))?.key ?? "";
    const set = (label: string, name: string, value: string): Fix => ({ label, to: { ...draft, [name]: value } });
    const rules = lifetimes(look, vertex.transactionTimeout, timeout, set);
    const { transactionalIdPrefix: prefix } = vertex;
    if (seen.has(prefix))
      rules.push({
        id: "R-11",
        key: key("transactionalIdPrefix"),
        kind: "warns",
        message: "These sinks would fence each other.",
        fixes: [set("Give it its own prefix", key("transactionalIdPrefix"), `${prefix}-${vertex.uid}`)],
      });
    seen.add(prefix);
    return rules;
  });
}

function lifetimes(
  look: Look,
  have: number,
  key: string,
  set: (label: string, name: string, value: string) => Fix,
): Rule[] {
  const { scenario } = look;
  const { transactionMaxTimeout: most } = scenario.broker;
  const interval = scenario.config.checkpointing.interval ?? 0;
  const rules: Rule[] = [];
  if (have > most)
    rules.push({
      id: "R-10",
      key,
      kind: "warns",
      message: `The broker allows at most ${most} ms; the sink fails at every start.`,
      fixes: [
        set("Lower the client value", key, `${most} ms`),
        set("Raise the broker's", "broker:transaction.max.timeout.ms", `${have} ms`),
      ],
    });
  if (have < interval)
    rules.push({
      id: "R-09b",
      key,
      kind: "warns",
      message:
        "A transaction that gets records early in the interval ends before the checkpoint that should commit it. Its records are lost.",
      fixes: [set(`Raise it above ${interval} ms`, key, `${interval * 2} ms`)],
    });
  else if (interval > 0) {
    const need = interval + scenario.config.checkpointing.timeout + restartOf(scenario);
    if (have < need)
      rules.push({
        id: "R-09",
        key,
        kind: "warns",
        message: `A transaction may live ${need} ms; Kafka gives it ${have} ms. After an outage longer than ${Math.max(0, have - interval)} ms its records are lost.`,
        fixes: [set(`Raise to ${need} ms`, key, `${need} ms`)],
      });
  }
  return rules;
}

/** The longest restart: detection, delay, cancelling, deployment, restore (SK-160). */
function restartOf({ timing, config }: Scenario): number {
  const strategy = config.restartStrategy;
  const delay = "delay" in strategy ? strategy.delay : "maxBackoff" in strategy ? strategy.maxBackoff : 0;
  return timing.heartbeatDetect + delay + timing.cancel + timing.deploy + timing.restore;
}
