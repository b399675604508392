/** The windows between the boundaries of a checkpoint or a transaction. Fetched with their dialog. */
import type { Boundary, BoundaryName, Knowledge, Party } from "../../projection/windows.ts";
import { duration } from "../format.ts";

const names: { readonly [B in BoundaryName]: string } = {
  triggered: "triggered",
  begun: "begun",
  written: "write",
  preCommitted: "pre-commit",
  snapshot: "state copied",
  persisted: "snapshot stored, ack sent",
  acknowledged: "ack received",
  metadata: "metadata written",
  completed: "completed",
  notified: "notification received",
  commitSent: "commit sent",
  decided: "coordinator of transactions decided",
  marked: "marker written",
  committed: "committed",
  superseded: "next checkpoint completed",
  aborted: "checkpoint aborted",
  transactionAborted: "transaction aborted",
  timedOut: "transaction timed out",
  restart: "restart",
};

/** What a party knows by a boundary that it has seen; `null`: by none. */
const seen: { readonly [P in Party]: { readonly [B in BoundaryName]?: string } & { readonly nothing: string } } = {
  coordinator: {
    nothing: "nothing of it",
    triggered: "pending, no ack",
    acknowledged: "pending, acks",
    metadata: "all acks, metadata written",
    completed: "completed: recovery starts from it",
    superseded: "a later one is completed",
    aborted: "aborted",
  },
  sink: {
    nothing: "nothing pre-committed",
    restart: "what was restored",
    begun: "a transaction is open",
    written: "records in an open transaction",
    preCommitted: "pre-committed",
    snapshot: "committable copied",
    persisted: "ack sent, waits to be told",
    notified: "told that it is completed",
    commitSent: "commit sent, no answer",
    committed: "knows that it is committed",
  },
  broker: {
    nothing: "nothing decided",
    begun: "an open transaction",
    written: "records that no committed reader sees",
    decided: "decided, markers missing",
    marked: "markers written",
    committed: "committed: readers see it",
    transactionAborted: "aborted: nobody sees it",
    timedOut: "timed out and aborted",
  },
  storage: {
    nothing: "nothing of it",
    persisted: "snapshots, no metadata",
    metadata: "metadata, not yet completed",
    completed: "what recovery restores",
    superseded: "a later one is restored",
  },
};

function boundary({ name, which }: Boundary): string {
  return which === "only" ? names[name] : `${which} ${names[name]}`;
}

function counted({ count, of }: Knowledge): string {
  return of > 1 ? ` (${count} of ${of})` : "";
}

export const enWindows = {
  title: (what: string) => `Crash windows of ${what}`,
  checkpoint: (id: number) => `checkpoint ${id}`,
  description: "Between each two boundaries of the protocol: who knows what, and what a crash there comes to.",
  ruler: "Windows",
  boundary,
  number: (index: number) => `W${index + 1}`,
  window: (from: Boundary, to: Boundary) => `${boundary(from)} → ${boundary(to)}`,
  scale: (total: number) => `True scale, ${duration(total)} in all`,
  lasts: (time: string, length: number) =>
    `from ${time}, ${length === 0 ? "within the same millisecond" : duration(length)}`,
  parties: { coordinator: "Coordinator", sink: "Sink", broker: "Broker", storage: "Storage" } satisfies {
    readonly [P in Party]: string;
  },
  knows: (party: Party, known: Knowledge | null) =>
    known === null ? seen[party].nothing : `${seen[party][known.name] ?? names[known.name]}${counted(known)}`,
  at: {
    start: "If it crashes here",
    first: "Just after the first boundary",
    last: "Just before the second",
  },
  unreachable: "This lies before a failure that has been decided: none can be put in front of it.",
  unfinished: "The run is still being computed.",
  crash: "Crash here",
  crashIn: (window: string) => `Crash here: ${window}`,
  table: "As a table",
  columns: { window: "Window", name: "Between", lasts: "Lasts", verdict: "If it crashes there" },
  thenLater: "then",
  none: "The log has no second boundary yet.",
  close: "Close",
} as const;
