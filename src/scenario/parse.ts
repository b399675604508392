/**
 * From what a person wrote to a scenario that everything behind it may trust: structure, then meaning, then names. All
 * that is wrong is told at once, as far as one mistake does not hide another. What comes from a file or a link is hostile
 * until it has been through here.
 */
import type { Result } from "../base/result.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { type Configured, configOf } from "./config.ts";
import { executionGraph } from "./execution-graph.ts";
import { faultOf } from "./faults.ts";
import { untilOf } from "./moments.ts";
import { checkGraph, looseGraph } from "./graph-checks.ts";
import { checkBounded, checkFlow, checkNaming, hasBlocking, jobOf, prefixNotices, timeoutNotices } from "./job.ts";
import { checkGroups, checkParallelSources } from "./sources.ts";
import { parseJson } from "./json-text.ts";
import { Problems, readBy, refuseHostile } from "./problems.ts";
import type { Fault, Notice, Scenario } from "./scenario.ts";
import { limits } from "./limits.ts";
import { faultSchema } from "./schema-faults.ts";
import { type Submission, submissionsOf } from "./resubmission.ts";
import { type Source, readSections } from "./sections.ts";
import { byHeads, timingOf } from "./timing.ts";
import { checkTopics, topicsOf } from "./topics.ts";

/** Reads a scenario file's text. */
export function parseScenario(text: string): Result<Scenario> {
  const json = readJson(text);
  return json.ok ? scenarioFrom(json.value) : json;
}

/** The JSON of a scenario file's text, not looked at yet. */
export function readJson(text: string): Result<unknown> {
  if (text.length <= limits.characters) return parseJson(text);
  return {
    ok: false,
    problems: [
      {
        path: "",
        value: `${text.length} characters`,
        message: `A scenario has at most ${limits.characters} characters.`,
      },
    ],
  };
}

/** Reads a scenario that is JSON already. */
export function scenarioFrom(json: unknown): Result<Scenario> {
  const problems = new Problems();
  refuseHostile(json, problems);
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  const source = readSections(json, problems);
  if (source === null) return { ok: false, problems: problems.list };
  const notices: Notice[] = [];
  const configured = configOf(source.config ?? {}, source.flink ?? "2.2", problems, notices, hasBlocking(source.job));
  const meaning = meaningOf(source, configured, problems, notices);
  const scenario = meaning?.scenario ?? null;
  const graph = scenario === null ? null : graphOf(scenario, problems);
  const submissions = meaning?.submissions ?? new Map<number, Submission>();
  const graphs = graphsOf(scenario, graph, submissions);
  const faults = faultsOf(source.faults, graphs, submissions, problems, notices);
  const until = named(graphs, problems, (known, own) => untilOf(source.until, known, own));
  if (scenario !== null) checkLength({ ...scenario, until }, problems);
  if (scenario === null || problems.list.length > 0) return { ok: false, problems: problems.list };
  return {
    ok: true,
    value: { ...scenario, timing: graph === null ? scenario.timing : byHeads(scenario.timing, graph), faults, until },
  };
}

/** The sections together, every default filled in; `null` where one that others need is wrong. */
function meaningOf(
  source: Source,
  configured: Configured,
  problems: Problems,
  notices: Notice[],
): { scenario: Scenario; submissions: ReadonlyMap<number, Submission> } | null {
  const topics = topicsOf(source, problems);
  if (source.job === undefined) {
    checkGraph(looseGraph(source.raw), problems);
    return null;
  }
  const job = jobOf(source.job, configured.job);
  checkGraph(job, problems);
  checkNaming(job, source.flink ?? "2.2", problems);
  checkGroups(job, problems);
  checkParallelSources(job, problems);
  checkBounded(job, problems);
  if (topics === null) return null;
  checkTopics(job, topics, problems);
  const submissions = submissionsOf(source, job, topics, problems);
  const jobs = [job, ...[...submissions.values()].map((submission) => submission.job)];
  const id = source.id ?? "scenario";
  const { en, zh } = source.title ?? {};
  const scenario: Scenario = {
    id,
    title: { en: en ?? zh ?? id, zh: zh ?? en ?? id },
    flink: source.flink ?? "2.2",
    seed: source.seed ?? 1,
    job,
    cluster: clusterOf(source, jobs, configured.slots, notices),
    topics,
    config: configured.config,
    timing: timingOf(source.timing ?? {}, job, configured.heartbeat, problems),
    broker: {
      transactionMaxTimeout: source.broker?.["transaction.max.timeout.ms"] ?? 900_000,
      cleanupInterval: source.broker?.["transaction.abort.timed.out.transaction.cleanup.interval.ms"] ?? 10_000,
      idExpiration: source.broker?.["transactional.id.expiration.ms"] ?? 604_800_000,
      idCleanupInterval: source.broker?.["transaction.remove.expired.transaction.cleanup.interval.ms"] ?? 3_600_000,
    },
    initialDelay: source.initialDelay ?? null,
    faults: [],
    schedule: source.schedule ?? null,
    broken: source.broken ?? [],
    until: { kind: "drained" },
    notices,
  };
  notices.push(...timeoutNotices(scenario), ...prefixNotices(job));
  return { scenario, submissions };
}

/** The job as it is run, which names are checked against; `null` where it is wrong or too large. */
function graphOf(scenario: Scenario, problems: Problems): ExecutionGraph | null {
  if (problems.within("job") || problems.within("topics") || problems.within("cluster")) return null;
  const { vertices, edges } = scenario.job;
  const parallelism = (uid: string): number => vertices.find((vertex) => vertex.uid === uid)?.parallelism ?? 0;
  const subtasks = vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  const pointwise = ["forward", "rescale"];
  const channels = edges.reduce(
    (sum, { from, to, ship }) =>
      sum + (pointwise.includes(ship) ? parallelism(from) + parallelism(to) : parallelism(from) * parallelism(to)),
    0,
  );
  if (subtasks > limits.subtasks)
    problems.add(["job", "vertices"], `${subtasks} subtasks`, `At most ${limits.subtasks} subtasks are simulated.`);
  if (channels > limits.channels)
    problems.add(["job", "edges"], `${channels} channels`, `At most ${limits.channels} channels are simulated.`);
  checkFlow(scenario, problems);
  return problems.within("job") ? null : executionGraph(scenario);
}

/** A run that asks for more checkpoints than have numbers is too long. */
function checkLength({ topics, until, config }: Scenario, problems: Problems): void {
  const { interval, minPause } = config.checkpointing;
  const last = topics.flatMap(({ partitions }) => partitions.map((records) => records.at(-1)?.at ?? 0));
  const end = until.kind === "time" ? until.time : Math.max(0, ...last);
  if (interval === null || end / Math.max(interval, minPause) < limits.checkpoints) return;
  problems.add(
    ["until"],
    `${Math.floor(end / interval)} checkpoints`,
    `A run has fewer than ${limits.checkpoints} checkpoints: a shorter run, or a longer interval.`,
  );
}

/** The graphs of the run's jobs, one after the other as they are listed. */
function graphsOf(
  scenario: Scenario | null,
  first: ExecutionGraph | null,
  submissions: ReadonlyMap<number, Submission>,
): readonly (ExecutionGraph | null)[] {
  if (scenario === null || first === null) return [null];
  const graphs = [first];
  for (const submission of submissions.values())
    graphs.push(executionGraph({ ...scenario, ...submission }, { graph: graphs.at(-1) ?? first, readers: null }));
  return graphs;
}

/** Reads names by the first job that has them all; where none has, it is told what the first job lacks. */
function named<T>(
  graphs: readonly (ExecutionGraph | null)[],
  problems: Problems,
  read: (graph: ExecutionGraph | null, problems: Problems) => T,
): T {
  const tries = graphs.map((graph) => {
    const own = new Problems();
    return { value: read(graph, own), own };
  });
  const [first] = tries;
  const { value, own } = tries.find((one) => one.own.list.length === 0) ?? (first as (typeof tries)[number]);
  for (const { path, value: text, message } of own.list) problems.tell([path], text, message);
  return value;
}

/** Each fault by itself, so that one that is wrong does not hide another. */
function faultsOf(
  sources: readonly unknown[] | undefined,
  graphs: readonly (ExecutionGraph | null)[],
  submissions: ReadonlyMap<number, Submission>,
  problems: Problems,
  notices: Notice[],
): Fault[] {
  return (sources ?? []).flatMap((source, index) => {
    const path = ["faults", index];
    const fault = readBy(faultSchema, source, path, problems);
    if (fault === undefined) return [];
    if (fault.do === "cancel-with-savepoint")
      notices.push({
        code: "DEPRECATED",
        path: `faults[${index}]`,
        message: 'Flink: Cancelling a job with savepoint is deprecated. Use "stop" instead (CP-167).',
      });
    const submission = submissions.get(index);
    const read = named(graphs, problems, (graph, own) => faultOf(fault, path, graph, own));
    return [submission === undefined ? read : { ...read, submission }];
  });
}

/** The slots that a job's sharing groups need (FR-035). */
function slotsFor({ vertices }: Scenario["job"]): number {
  const groups = new Map<string, number>();
  for (const { slotSharingGroup, parallelism } of vertices)
    groups.set(slotSharingGroup, Math.max(parallelism, groups.get(slotSharingGroup) ?? 0));
  return [...groups.values()].reduce((sum, slots) => sum + slots, 0);
}

/** Default: one TaskManager with as many slots as the sharing groups need (FR-035). */
function clusterOf(
  { cluster }: Source,
  jobs: readonly Scenario["job"][],
  configuredSlots: number | null,
  notices: Notice[],
): Scenario["cluster"] {
  const needed = Math.max(...jobs.map(slotsFor));
  const taskManagers = cluster?.taskManagers ?? 1;
  if (cluster?.slots !== undefined && configuredSlots !== null && cluster.slots !== configuredSlots) {
    notices.push({
      code: "KEY_WITHOUT_EFFECT",
      path: "config.taskmanager.numberOfTaskSlots",
      message: `cluster.slots says ${cluster.slots}, and that counts.`,
    });
  }
  return { taskManagers, slots: cluster?.slots ?? configuredSlots ?? Math.ceil(needed / taskManagers) };
}
