/**
 * Rules about the job that a configuration is for: key groups and subtasks, exchanges, what an
 * upsert sink writes again, and who restarts it. What the job leaves out comes from the configuration, so
 * one that Flink refuses is looked at as it is written.
 */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { defaultMaxParallelism } from "../../protocol/key-groups.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { overtakingEdges } from "../../scenario/unaligned-edges.ts";
import { enRules } from "../text/en-rules.ts";
import { type Fix, type Look, type Rule, ck } from "./look.ts";

const PARALLELISM = "parallelism.default";
const MAXIMUM = "pipeline.max-parallelism";

export function rulesOfJob(look: Look): Rule[] {
  const job = writtenJob(look.given.text);
  return [
    ...tooManySubtasks(look, job),
    ...otherKeyGroups(look, job),
    ...forward(look, job),
    ...replayedValues(look),
    ...adaptive(look),
    ...aligned(look),
  ];
}

/** `null`: the configuration says it. */
interface Written {
  readonly maxParallelism: number | null;
  readonly vertices: readonly { readonly uid: string; readonly parallelism: number | null }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly ship: string | null }[];
}

/** The job of a scenario that has been read with another configuration, so its structure is sound. */
function writtenJob(text: string): Written {
  const { job } = JSON.parse(text) as {
    readonly job: {
      readonly maxParallelism?: number;
      readonly vertices: readonly { readonly uid: string; readonly parallelism?: number }[];
      readonly edges?: readonly { readonly from: string; readonly to: string; readonly ship?: string }[];
    };
  };
  return {
    maxParallelism: job.maxParallelism ?? null,
    vertices: job.vertices.map(({ uid, parallelism }) => ({ uid, parallelism: parallelism ?? null })),
    edges: (job.edges ?? []).map(({ from, to, ship }) => ({ from, to, ship: ship ?? null })),
  };
}

/** CP-178: a subtask has at least one key group. */
function tooManySubtasks(look: Look, job: Written): Rule[] {
  const standard = look.count(PARALLELISM) ?? 1;
  const set = job.maxParallelism ?? look.count(MAXIMUM);
  const widest = job.vertices.reduce<{ uid: string; width: number; own: boolean } | null>(
    (most, { uid, parallelism }) => {
      const width = parallelism ?? standard;
      return most === null || width > most.width ? { uid, width, own: parallelism !== null } : most;
    },
    null,
  );
  if (widest === null) return [];
  const groups = set ?? defaultMaxParallelism(widest.width);
  if (widest.width <= groups) return [];
  const isOfJob = job.maxParallelism !== null;
  const fixes: Fix[] = [];
  if (!isOfJob) fixes.push(look.fix(enRules.keyGroups.groups(widest.width), [MAXIMUM, String(widest.width)]));
  const own = job.vertices.every(({ parallelism }) => (parallelism ?? 0) <= groups);
  if (!widest.own && own) fixes.push(look.fix(enRules.keyGroups.subtasks(groups), [PARALLELISM, String(groups)]));
  const message = enRules.keyGroups.says(widest.uid, groups, widest.width);
  return [{ id: "R-14", key: isOfJob ? PARALLELISM : MAXIMUM, kind: "blocks", message, fixes }];
}

/** FR-116, CP-178: only a number that is set can be another one; without, the snapshot's is taken. */
function otherKeyGroups(look: Look, job: Written): Rule[] {
  const { keyGroups } = look.given;
  const wanted = job.maxParallelism === null ? look.count(MAXIMUM) : null;
  if (wanted === null || keyGroups.every((groups) => groups === wanted)) return [];
  const [only, ...others] = keyGroups;
  const fixes = [look.fix(enRules.restoredKeyGroups.leave, [MAXIMUM, null])];
  if (only !== undefined && others.length === 0)
    fixes.unshift(look.fix(enRules.restoredKeyGroups.restore(only), [MAXIMUM, String(only)]));
  const message = enRules.restoredKeyGroups.says(keyGroups, wanted);
  return [{ id: "R-15", key: MAXIMUM, kind: "blocks", message, fixes }];
}

/** `StreamGraph.addEdgeInternal` refuses it; only a parallelism that the job leaves out can be at fault here. */
function forward(look: Look, job: Written): Rule[] {
  const own = (uid: string): number | null => job.vertices.find((vertex) => vertex.uid === uid)?.parallelism ?? null;
  const unequal = (standard: number): { from: string; a: number; to: string; b: number } | null => {
    for (const { from, to, ship } of job.edges) {
      const [a, b] = [own(from) ?? standard, own(to) ?? standard];
      if (ship === "forward" && a !== b) return { from, a, to, b };
    }
    return null;
  };
  const found = unequal(look.count(PARALLELISM) ?? 1);
  if (found === null) return [];
  const matching = [...new Set([found.a, found.b])].filter((width) => unequal(width) === null);
  const fixes = matching.map((width) => look.fix(enRules.forward.match(width), [PARALLELISM, String(width)]));
  const message = enRules.forward.says(found.from, found.a, found.to, found.b);
  return [{ id: "R-16", key: PARALLELISM, kind: "blocks", message, fixes }];
}

/**
 * SK-112: behind an aggregate an upsert sink is right again after a replay only if each record is in the aggregate once. In
 * AT_LEAST_ONCE mode it may be there twice, as soon as a task on the way has more than one channel to wait for (SK-040).
 */
function replayedValues(look: Look): Rule[] {
  if (!look.is(ck("mode"), "AT_LEAST_ONCE") || look.time(ck("interval")) === null) return [];
  const graph = executionGraph(look.scenario);
  const found = graph.operators.flatMap(({ vertex: sink }, index) => {
    if (sink.type !== "upsert-sink") return [];
    const aggregate = [...before(graph, index)].find(
      (operator) => isAggregate(graph, operator) && waits(graph, operator),
    );
    return aggregate === undefined ? [] : [[sink.uid, at(graph.operators, aggregate).vertex.uid] as const];
  });
  return found.slice(0, 1).map(([sink, aggregate]) => ({
    id: "R-19",
    key: ck("mode"),
    kind: "warns",
    message: enRules.replayedValue.says(sink, aggregate),
    fixes: [look.fix(enRules.unalignedMode.switchMode, [ck("mode"), null])],
  }));
}

function isAggregate({ operators }: ExecutionGraph, operator: number): boolean {
  const { type } = at(operators, operator).vertex;
  return type === "keyed-sum" || type === "keyed-count";
}

/** The operators from which records come to this one. */
function before({ edges }: ExecutionGraph, operator: number): ReadonlySet<number> {
  const found = new Set([operator]);
  for (const each of found)
    for (const { fromOperator, toOperator } of edges) if (toOperator === each) found.add(fromOperator);
  found.delete(operator);
  return found;
}

/** Has it, or something in front of it, barriers of several channels to wait for? */
function waits(graph: ExecutionGraph, operator: number): boolean {
  const tasks = new Set([operator, ...before(graph, operator)].map((each) => at(graph.operators, each).taskVertex));
  return graph.subtasks.some(({ taskVertex, inputs }) => tasks.has(taskVertex) && inputs.length > 1);
}

/** FR-014. The scheduler is one that no run here has; what it would make of the strategy is told all the same. */
function adaptive(look: Look): Rule[] {
  const KEY = "jobmanager.scheduler";
  if (!look.is(KEY, "Adaptive") || !look.is("jobmanager.execution.failover-strategy", "region")) return [];
  const fixes = [look.fix(enRules.adaptive.use, [KEY, null])];
  return [{ id: "R-20", key: KEY, kind: "info", message: enRules.adaptive.says, fixes }];
}

/** CP-037. */
function aligned(look: Look): Rule[] {
  if (!look.is(ck("unaligned.enabled"), "true")) return [];
  const graph = executionGraph(look.scenario);
  const overtakes = overtakingEdges(graph, look.scenario.flink);
  const kept = graph.channels.filter(({ edge }) => overtakes[edge] !== true).length;
  if (kept === 0) return [];
  const message = enRules.aligned(kept, graph.channels.length);
  return [{ id: "R-21", key: ck("unaligned.enabled"), kind: "info", message, fixes: [] }];
}
