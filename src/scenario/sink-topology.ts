/**
 * What Flink makes of a sink whose committer is a task of its own: the writers, an exchange, and one committer behind it
 * (`SinkTransformationTranslator`, Iceberg's `FlinkSink` and `IcebergSink`; SK-140, SK-151); or of one with a global
 * committer: writers with their committers, an exchange, and that one (`GlobalCommitterTransformationTranslator`; SK-150).
 * All committables go to its one subtask (`global`), so writers and committer are never chained, whatever their parallelism.
 */
import type { CommitterVertex, JobEdge, JobGraph, JobVertex } from "../protocol/job-graph.ts";
import { commitsApart, hasGlobalCommitter } from "../protocol/sinks.ts";

/** The uid of a sink's committer. */
export function committerUid(sink: string): string {
  return `${sink}-committer`;
}

/** What a sink brings along behind its writers; `null`: nothing. */
function behind(vertex: JobVertex): { readonly uid: string; readonly name: string } | null {
  const { uid, name } = vertex;
  if (commitsApart(vertex)) return { uid: committerUid(uid), name: `${name}: Committer` };
  return hasGlobalCommitter(vertex) ? { uid: `${uid}-global-committer`, name: `${name}: Global Committer` } : null;
}

const CAPACITY = 8;

/** The job with the committers that its sinks bring along, behind all that was written. */
export function withCommitters<J extends Pick<JobGraph, "vertices" | "edges">>(job: J): J {
  const made = job.vertices.flatMap((sink) => {
    const own = behind(sink);
    return own === null ? [] : [{ sink, own }];
  });
  if (made.length === 0) return job;
  const committers = made.map(({ sink: { uid, cost, chain, slotSharingGroup, generated }, own }): CommitterVertex => ({
    ...own,
    type: "committer",
    sink: uid,
    parallelism: 1,
    cost,
    chain,
    slotSharingGroup,
    ...(generated === true && { generated }),
  }));
  const edges = made.map(({ sink, own }): JobEdge => ({
    from: sink.uid,
    to: own.uid,
    ship: "global",
    exchange: "PIPELINED_BOUNDED",
    latency: null,
    capacity: CAPACITY,
  }));
  return { ...job, vertices: [...job.vertices, ...committers], edges: [...job.edges, ...edges] };
}
