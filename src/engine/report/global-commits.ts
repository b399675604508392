/** The report's `globalCommits`: of each checkpoint, whose parts a global committer has and whether it has committed it (SK-150). */
import { at } from "../../base/assert.ts";
import type { EventLog } from "../../protocol/log.ts";
import { hasGlobalCommitter } from "../../protocol/sinks.ts";
import type { GlobalCommitRow } from "../../scenario/report.ts";
import { type Span, field, foldLog } from "./entries.ts";

interface Row extends Pick<GlobalCommitRow, "sink" | "checkpoint"> {
  readonly received: Set<number>;
  readonly transactions: Set<number>;
  committers: number;
  at: number | null;
  commits: number;
}

/** Of one job; a checkpoint of which nobody had anything to commit is left out once it is whole. */
export function globalCommitRows(log: EventLog, span: Span): GlobalCommitRow[] {
  const rows = new Map<string, Row>();
  const rowOf = (sink: string, checkpoint: number): Row => {
    const key = `${sink} ${checkpoint}`;
    const row = rows.get(key) ?? {
      sink,
      checkpoint,
      received: new Set<number>(),
      transactions: new Set<number>(),
      committers: 0,
      at: null,
      commits: 0,
    };
    rows.set(key, row);
    return row;
  };
  const handlers = {
    CommittableReceived: (step: number) => {
      const said = (name: "subtask" | "checkpoint" | "transaction" | "writer" | "writers"): number =>
        field(log, step, "CommittableReceived", name);
      const sink = sinkOf(span, said("subtask"));
      if (sink === null) return;
      const row = rowOf(sink, said("checkpoint"));
      row.committers = said("writers");
      row.received.add(said("writer"));
      if (said("transaction") >= 0) row.transactions.add(said("transaction"));
    },
    GloballyCommitted: (step: number) => {
      const sink = sinkOf(span, field(log, step, "GloballyCommitted", "subtask"));
      if (sink === null) return;
      const row = rowOf(sink, field(log, step, "GloballyCommitted", "checkpoint"));
      row.at ??= log.clock(step);
      row.commits++;
    },
  };
  foldLog(log, handlers, span);
  return [...rows.values()]
    .filter(({ transactions, received, committers }) => transactions.size > 0 || received.size < committers)
    .map(({ received, transactions, ...row }) => ({
      ...row,
      submission: span.submission,
      received: received.size,
      committables: transactions.size,
    }));
}

/** The sink whose global committer a subtask is; `null`: of none. */
function sinkOf({ graph }: Span, subtask: number): string | null {
  const { operators } = at(graph.vertices, at(graph.subtasks, subtask).taskVertex);
  const { vertex } = at(graph.operators, at(operators, 0));
  const sink = graph.operators.find((operator) => vertex.type === "committer" && operator.vertex.uid === vertex.sink);
  return sink !== undefined && hasGlobalCommitter(sink.vertex) ? sink.vertex.uid : null;
}
