/**
 * INV-124: what a write-ahead log has sent and recorded it never sends again; only what a fault hit while it was being
 * sent, or before it was recorded, comes twice (FI-82, FI-83). That nothing is missing is told at the end of a run.
 */
import { at } from "../../base/assert.ts";
import { recordName } from "../../protocol/ids.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { allowanceOf } from "./expected.ts";
import { type Subject, type Watch, copyOf } from "./watch.ts";

/** A record that is out, and whose batch is not recorded yet. */
const Sent = { task: 0, operator: 1, record: 2, SIZE: 3 } as const;

export class Batches implements Subject {
  static readonly ids = ["INV-124"] as const;
  private readonly watch: Watch;
  private readonly sent: Rows;
  /** Operator and record of what is recorded. */
  private readonly recorded: Rows;

  constructor(watch: Watch, from: Batches | null = null) {
    this.watch = watch;
    this.sent = from === null ? new Rows(Sent.SIZE) : copyOf(from.sent);
    this.recorded = from === null ? new Rows(2) : copyOf(from.recorded);
  }

  clone(watch: Watch): Batches {
    return new Batches(watch, this);
  }

  RecordWritten(k: Kernel, task: number, operator: number, record: number): void {
    const { plan } = this.watch;
    if (plan.operators[operator]?.sink?.kind !== "writeAheadLog") return;
    const allowed = at(allowanceOf(plan.scenario), plan.graph.sinks.indexOf(operator))[record] ?? 0;
    if (allowed === 0) return;
    let times = 1;
    for (let row = 0; row < this.sent.count; row++)
      if (this.sent.get(row, Sent.record) === record && this.sent.get(row, Sent.operator) === operator) times++;
    for (let row = 0; row < this.recorded.count; row++)
      if (this.recorded.get(row, 1) === record && this.recorded.get(row, 0) === operator) times++;
    this.sent.push(task, operator, record);
    if (times <= allowed) return;
    const [who, what] = [this.watch.subtask(task), recordName(plan.graph, record)];
    this.watch.violated(
      k,
      "INV-124",
      `${who} sends ${what} again, though nothing had gone wrong with its batch`,
      who,
      what,
    );
  }

  BatchCommitted(_: Kernel, task: number, operator: number, __: number, again: number): void {
    if (again === 1) return;
    for (let row = this.sent.count - 1; row >= 0; row--) {
      if (this.sent.get(row, Sent.task) !== task || this.sent.get(row, Sent.operator) !== operator) continue;
      this.recorded.push(operator, this.sent.get(row, Sent.record));
      this.sent.remove(row);
    }
  }

  /** What was being sent comes again. */
  BatchKept(_: Kernel, task: number): void {
    this.sent.removeWhere(Sent.task, task);
  }

  TaskStopped(_: Kernel, task: number): void {
    this.sent.removeWhere(Sent.task, task);
  }
}
