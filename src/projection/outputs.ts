/** Partitions that sinks write: records, control markers, the last stable offset (KF-001, KF-002, KF-030). */
import { at } from "../base/assert.ts";
import { type Handler, places } from "./fields.ts";
import { ownSubtask, ownTransaction } from "./own.ts";
import type { CellView } from "./output-view.ts";
import type { RunView } from "./views.ts";
import { flushedWork } from "./work.ts";

const written = places("RecordWritten");

export const recordWritten: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, written.subtask);
  const operator = log.field(step, written.operator);
  const record = log.field(step, written.record);
  const partition = log.field(step, written.partition);
  const { current, pass } = arrived(view, subtask, operator, record);
  const transaction = log.field(step, written.transaction) < 0 ? -1 : current;
  const value = log.field(step, written.value);
  const offset = append(view, partition, {
    kind: "record",
    record,
    value,
    transaction,
    place: transaction < 0 ? 0 : at(view.transactions, transaction).records,
    operator: at(view.shared.graph.identities, operator),
    pass,
  });
  if (transaction >= 0) join(view, partition, transaction, offset, clock);
  settle(view, partition);
  flushedWork(view, subtask, clock);
};

/** A record is on its way from its sink no more: the sink's transaction, and for which time it was written. */
function arrived(view: RunView, subtask: number, operator: number, record: number): { current: number; pass: number } {
  const sink = ownSubtask(view, subtask).sinks.find((candidate) => candidate.operator === operator);
  const place = sink?.unwritten.findIndex((item) => item.record === record) ?? -1;
  const [item] = sink?.unwritten.splice(place, place < 0 ? 0 : 1) ?? [];
  return { current: sink?.current ?? -1, pass: item?.pass ?? 1 };
}

const withheld = places("WriteWithheld");

/** A record that does not come into the log; its transaction is under way there all the same. */
export const writeWithheld: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, withheld.subtask);
  const operator = log.field(step, withheld.operator);
  const { current } = arrived(view, subtask, operator, log.field(step, withheld.record));
  const transaction = log.field(step, withheld.transaction) < 0 ? -1 : current;
  const partition = log.field(step, withheld.partition);
  if (transaction >= 0) take(view, partition, transaction, at(view.outputs, partition).length);
  flushedWork(view, subtask, clock);
};

const ofBackground = places("BackgroundRecordWritten");

export const backgroundWritten: Handler = (view, log, step) => {
  const partition = log.field(step, ofBackground.partition);
  append(view, partition, { ...unsaid, kind: "background" });
  settle(view, partition);
};

/** What only a record has. */
const unsaid = { record: -1, value: 0, transaction: -1, place: 0, operator: -1, pass: 0 } as const;

/** Puts a cell at the next offset, which is the same in every view of the branch. */
function append(view: RunView, partition: number, cell: CellView): number {
  const output = at(view.outputs, partition);
  const cells = at(view.shared.cells, partition);
  if (output.length === cells.length) cells.push(cell);
  return output.length++;
}

/** A transaction's first record on a partition: it is under way there (KF-013). */
function join(view: RunView, partition: number, transaction: number, offset: number, clock: number): void {
  const node = ownTransaction(view, transaction);
  node.records++;
  if (node.firstWriteAt < 0) node.firstWriteAt = clock;
  take(view, partition, transaction, offset);
}

function take(view: RunView, partition: number, transaction: number, first: number): void {
  const node = ownTransaction(view, transaction);
  const output = at(view.outputs, partition);
  if (output.ongoing.some((other) => other.transaction === transaction)) return;
  output.ongoing = [...output.ongoing, { transaction, first }];
  if (!node.partitions.includes(partition)) node.partitions = [...node.partitions, partition];
}

/** A decided transaction gets a control marker on each partition that it wrote to and that has none yet. */
export function endOnOutputs(view: RunView, transaction: number, kind: "commit-marker" | "abort-marker"): void {
  view.outputs.forEach((_, partition) => endOnOutput(view, partition, transaction, kind));
}

export function endOnOutput(
  view: RunView,
  partition: number,
  transaction: number,
  kind: "commit-marker" | "abort-marker",
): void {
  const output = at(view.outputs, partition);
  if (!output.ongoing.some((other) => other.transaction === transaction)) return;
  append(view, partition, { ...unsaid, kind, transaction });
  output.ongoing = output.ongoing.filter((other) => other.transaction !== transaction);
  settle(view, partition);
}

/** SK-182: of a part file's records only so many are still there as its transaction has now. */
export function cutBack(view: RunView, transaction: number, partition: number): void {
  const node = ownTransaction(view, transaction);
  const offset = append(view, partition, { ...unsaid, kind: "truncation", value: node.records, transaction });
  node.truncated = [...node.truncated, { offset, length: node.records }];
  settle(view, partition);
}

/** The last stable offset is where the earliest transaction under way begins, or the end; only the log has readers wait. */
function settle(view: RunView, partition: number): void {
  const output = at(view.outputs, partition);
  const blocks = at(view.shared.graph.outputs, partition).store === "log";
  output.lastStableOffset = (blocks ? output.ongoing : []).reduce(
    (least, { first }) => Math.min(least, first),
    output.length,
  );
}
