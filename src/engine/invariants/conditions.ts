/**
 * Under which conditions an invariant is claimed. What does not hold in a run's scenario is waived there: it is not
 * watched and not among the ids that the run is checked for.
 *
 * - At-least-once lets a snapshot hold what was sent behind the barrier; only INV-005 is claimed of it, and of nothing else.
 * - Channel state that a restore is told to drop is lost (CP-088); where no checkpoint has any none is stored twice.
 * - A rule that a scenario breaks on purpose makes moot what follows from it.
 * - What becomes of every record can be told in advance where sources are replayable from the start (one that begins at
 *   the latest offset may skip what came while the job was down before its first checkpoint, one that begins at the
 *   group's offset anything) and finds every partition
 * - and operators are deterministic: a filter behind a keyed operator decides by values that depend on how channels
 *   interleave, so a replay may let other records pass.
 * - Two sinks with one prefix of transactional ids fence each other: nothing is claimed of transactions then (SK-161).
 * - A job that ends without a final checkpoint, since tasks may not finish before one, leaves its last transaction behind;
 *   one without checkpoints commits at the end of input, whatever fails then (SK-146).
 *
 * What else is waived depends on what happens: another job begins (`jobs.ts`), an urgent trigger overtakes a split
 * (`splits.ts`), something runs again behind the savepoint of a stop (`watch.ts`).
 */
import { isTransactional, prefixOf } from "../../protocol/sinks.ts";
import { canRewind, isSource } from "../../protocol/job-graph.ts";
import type { BrokenRule, Scenario } from "../../scenario/scenario.ts";

const moot: { readonly [R in BrokenRule]: readonly string[] } = {
  "commit-at-barrier": ["INV-112", "INV-113", "INV-114", "INV-118", "INV-120", "INV-121", "INV-128"],
  "late-files-replace": ["INV-112", "INV-114", "INV-120", "INV-128"],
  "summaries-of-new-subtasks": [],
  "no-alignment": ["INV-002", "INV-003", "INV-033", "INV-120", "INV-121", "INV-123", "INV-124"],
  "source-forgets-offset": ["INV-033", "INV-109", "INV-110", "INV-120", "INV-123", "INV-124", "INV-125", "INV-131"],
};

/** What takes for granted that a name is one sink's own. */
const ofNames: readonly string[] = [
  "INV-112",
  "INV-113",
  "INV-114",
  "INV-115",
  "INV-116",
  "INV-117",
  "INV-118",
  "INV-120",
  "INV-121",
  "INV-125",
  "INV-128",
  "INV-130",
];

const exactlyOnceOnly = ["INV-001", "INV-002", "INV-003", "INV-033", "INV-120", "INV-121", "INV-123", "INV-124"];

export function waivedIn(scenario: Scenario): ReadonlySet<string> {
  const { interval, afterTasksFinish } = scenario.config.checkpointing;
  const bounded = scenario.job.vertices.some((vertex) => isSource(vertex) && vertex.bounded);
  const waived = scenario.broken.flatMap((rule) => moot[rule]);
  if (scenario.config.checkpointing.mode === "AT_LEAST_ONCE") waived.push(...exactlyOnceOnly);
  else waived.push("INV-005");
  if (!scenario.config.checkpointing.unaligned) waived.push("INV-004", "INV-042");
  else if (scenario.config.checkpointing.withoutChannelState >= 0)
    waived.push("INV-033", "INV-120", "INV-123", "INV-124", "INV-125");
  if (sharesPrefix(scenario)) waived.push(...ofNames);
  if (scenario.job.vertices.every(({ type }) => type !== "write-ahead-log-sink")) waived.push("INV-124");
  if (overlooksInput(scenario)) waived.push("INV-120", "INV-123", "INV-124");
  if (scenario.job.vertices.every((vertex) => !isSource(vertex) || canRewind(vertex))) waived.push("INV-126");
  if (!isReplayable(scenario)) waived.push("INV-033", "INV-120", "INV-123", "INV-124", "INV-125");
  if (!isDeterministic(scenario)) waived.push("INV-033", "INV-120", "INV-121", "INV-123", "INV-124", "INV-125");
  if (bounded && !afterTasksFinish) waived.push("INV-114", "INV-115", "INV-120");
  if (bounded && interval === null) waived.push("INV-113", "INV-118", "INV-120", "INV-121");
  // Finished files are what committed records are to a reader.
  if (waived.includes("INV-120") || waived.includes("INV-121")) waived.push("INV-122");
  return new Set(waived);
}

/** Do two sinks have one prefix, so that they fence each other (SK-161)? */
function sharesPrefix({ job }: Scenario): boolean {
  const prefixes = job.vertices.flatMap((vertex) => (isTransactional(vertex) ? [prefixOf(vertex)] : []));
  return new Set(prefixes).size < prefixes.length;
}

function isReplayable({ job }: Scenario): boolean {
  return job.vertices.every((vertex) => {
    if (!isSource(vertex)) return true;
    return vertex.type === "kafka-source"
      ? !["latest", "group"].includes(vertex.startingOffsets.kind)
      : canRewind(vertex);
  });
}

/** Is a partition added to a topic whose source never looks for one (SK-007)? */
function overlooksInput({ job, topics }: Scenario): boolean {
  return job.vertices.some(
    (vertex) =>
      vertex.type === "kafka-source" &&
      vertex.discoveryInterval === 0 &&
      topics.some(({ name, added }) => name === vertex.topic && added > 0),
  );
}

/** Is no filter reached from a keyed operator? */
function isDeterministic({ job }: Scenario): boolean {
  const reached = new Set(
    job.vertices.filter(({ type }) => type === "keyed-sum" || type === "keyed-count").map(({ uid }) => uid),
  );
  for (const uid of reached) for (const { from, to } of job.edges) if (from === uid) reached.add(to);
  return job.vertices.every(({ uid, type }) => type !== "filter" || !reached.has(uid));
}
