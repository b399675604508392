/**
 * What Flink makes of a sink whose committer is a task of its own: the writers, an exchange, and one committer behind it
 * (`SinkTransformationTranslator`, Iceberg's `FlinkSink` and `IcebergSink`; SK-140, SK-151). All committables go to its one
 * subtask (`global`), so writers and committer are never chained, whatever their parallelism.
 */
import type { CommitterVertex, JobEdge, JobGraph } from "../protocol/job-graph.ts";
import { commitsApart } from "../protocol/sinks.ts";

/** The uid of a sink's committer. */
function committerUid(sink: string): string {
  return `${sink}-committer`;
}

const CAPACITY = 8;

/** The job with the committers that its sinks bring along, behind all that was written. */
export function withCommitters<J extends Pick<JobGraph, "vertices" | "edges">>(job: J): J {
  const sinks = job.vertices.filter(commitsApart);
  if (sinks.length === 0) return job;
  const committers = sinks.map(({ uid, name, cost, chain, slotSharingGroup, generated }): CommitterVertex => ({
    uid: committerUid(uid),
    name: `${name}: Committer`,
    type: "committer",
    sink: uid,
    parallelism: 1,
    cost,
    chain,
    slotSharingGroup,
    ...(generated === true && { generated }),
  }));
  const edges = sinks.map(({ uid }): JobEdge => ({
    from: uid,
    to: committerUid(uid),
    ship: "global",
    exchange: "PIPELINED_BOUNDED",
    latency: null,
    capacity: CAPACITY,
  }));
  return { ...job, vertices: [...job.vertices, ...committers], edges: [...job.edges, ...edges] };
}
