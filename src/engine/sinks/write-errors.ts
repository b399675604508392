/**
 * Writes that go wrong on purpose (the contract's `sink-write-error`; FR-021, KF-003), and what the producer client makes of
 * it. What may pass is sent again after `retry.backoff.ms`, and what was sent behind it waits, so that order is kept. An
 * error that does not pass fails the sink's task, as fenced producers do (`KafkaWriter.WriterCallback`): a write is never
 * dropped. A reply that is lost is one repeat more, which the partition knows by its sequence and does not append again.
 * Left out: sequences by their numbers (the repeat is told by what it is), producers without `enable.idempotence`.
 */
import { type CommitError, commitErrors, failureCauses } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Task, TaskTime, Writer } from "../layout.ts";
import { RETRY_BACKOFF } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { WRITES, armError, takeError } from "./commit-errors.ts";
import { flushed, landed, sinkOf, writerOf } from "./sink.ts";

const FENCED = failureCauses.indexOf("PRODUCER_FENCED");
const WRITE_FAILED = failureCauses.indexOf("WRITE_FAILED");

/** The next `count` writes of this subtask go wrong. */
export function armWriteError(k: Kernel, task: number, kind: CommitError, count: number): void {
  armError(k, WRITES, task, kind, count);
}

/** How the write that is at the log now ends; `null`: well. */
export function takeWriteError(k: Kernel, task: number): CommitError | null {
  return k.world.armed.count === 0 ? null : takeError(k, WRITES, task);
}

/** The write has not taken effect: it is sent again, or fails its task. */
export function failWrite(
  k: Kernel,
  error: Exclude<CommitError, "reply-lost">,
  task: number,
  operator: number,
  record: number,
  value: number,
): void {
  k.emit("WriteFailed", task, operator, record, commitErrors.indexOf(error));
  if (error === "retriable") return sendAgain(k, task, operator, record, value);
  const fenced = error === "known" && sinkOf(k, operator).store === "log";
  k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), fenced ? FENCED : WRITE_FAILED);
}

/** The record, and behind it all that its task has sent and that would come before it now. */
function sendAgain(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { agenda } = k.world;
  const until = k.now + RETRY_BACKOFF;
  const behind: number[][] = [];
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.op) !== Op.append || agenda.get(row, Due.actor) !== task) continue;
    if (agenda.get(row, Due.time) > until) continue;
    behind.push([Due.b, Due.c, Due.d].map((column) => agenda.get(row, column)));
    agenda.remove(row);
  }
  k.world.setTaskTime(task, TaskTime.resent, until);
  for (const [b, c, d] of [[operator, record, value], ...behind])
    k.after(RETRY_BACKOFF, Op.append, task, task, b, c, d);
}

/**
 * It takes effect and the client is not told. A producer of the log sends it once more; another client has nothing by which
 * its store would know a repeat, so its task fails, and writes what it replays.
 */
export function loseReply(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { world } = k;
  if (sinkOf(k, operator).store !== "log") {
    k.after(0, Op.taskFail, task, task, world.task(task, Task.attempt), WRITE_FAILED);
    return;
  }
  const writer = writerOf(k, task, operator);
  world.setWriter(writer, Writer.inFlight, world.writer(writer, Writer.inFlight) + 1);
  k.after(RETRY_BACKOFF, Op.writeRepeated, task, task, operator, record, value);
}

/** The operation `writeRepeated`: the log has the record already; now its client knows, too (KF-003). */
export function writeRepeated(k: Kernel, task: number, operator: number, record: number, value: number): void {
  if (!k.decisions.recognisesRepeats()) return k.next(Op.append, task, task, operator, record, value);
  k.emit("WriteRepeated", task, operator, record);
  landed(k, task, operator);
  flushed(k, task, operator);
}
