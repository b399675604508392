/** What just happened, one sentence an entry: present tense, subject first, and why where the reason is not plain. */
import type { StoreKind } from "../../protocol/sinks.ts";
import { byteSize, duration } from "../format.ts";
import {
  cutRefused,
  refusals,
  answers,
  causes,
  completed,
  deciders,
  fates,
  faultSentences,
  jobNow,
  messages,
  operationAnswered,
  taskNow,
  threadEndings,
} from "./en-words.ts";
import { checkpointFailureMessages as reasons } from "../../protocol/checkpoint-failure-messages.ts";
import { failuresWords } from "./failures-words.ts";
import { plural } from "./plural.ts";
import type { Sentences } from "./sentences.ts";

/** Who keeps the records of a sink, and what a place there is called. */
const keepers: { readonly [K in StoreKind]: string } = {
  log: "the broker",
  rows: "the database",
  table: "the table",
  files: "the file system",
  lake: "the table",
  console: "the console",
};
const stores: { readonly [K in StoreKind]: string } = {
  log: "at offset",
  rows: "as row",
  table: "as write",
  files: "as record",
  lake: "as row",
  console: "as line",
};

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function record(name: string, key: string): string {
  return `${name} (${key})`;
}

export const enSentences: Sentences = {
  "job.state": ({ state }) => jobNow[state],
  "leader.lost": ({ standby }) =>
    `The JobManager is gone, and with it everything it held in memory. ${standby ? "A standby will take over." : "Without high availability nobody takes over."}`,
  "job.submitted": ({ submission, checkpoint, savepoint, claimMode }) =>
    checkpoint === null
      ? `Job ${submission + 1} is submitted without state.`
      : `Job ${submission + 1} is submitted from ${claimMode === null ? "the drawn cut, as if it were" : savepoint ? "savepoint" : "checkpoint"} ${checkpoint}${claimMode === null ? "" : ` (${claimMode})`}.`,
  "job.rejected": ({ state }) => `The job is not submitted: the one before it is ${state}.`,
  "restore.dropped": ({ vertex }) => `The state of ${vertex} in the snapshot is left out.`,
  "restore.refused": ({ refusal, vertex }) =>
    `The job cannot start from the snapshot: ${vertex === null ? "" : `${vertex}: `}${refusals[refusal]}.`,
  "leader.granted": ({ checkpoint }) =>
    `A standby JobManager takes over. ${checkpoint === null ? "It finds no checkpoint in the store, so the job begins anew." : `The newest checkpoint in the store is ${checkpoint}: the job is run anew from there.`}`,
  "leader.finds": ({ checkpoint }) =>
    `Checkpoint ${checkpoint} was given up because the store did not answer; its pointer is there after all.`,
  "restart.denied": ({ restarts }) =>
    `No restart is left after ${plural(restarts, "restart", "restarts")}: the job fails.`,
  "attempt.new": ({ task, attempt }) =>
    attempt === 0
      ? `${task} gets its first attempt.`
      : `Attempt #${attempt} takes the place of ${task}. It knows nothing of the one before.`,
  "task.state": ({ task, state, taskManager }) =>
    `${task} ${taskNow[state]}${state === "DEPLOYING" && taskManager !== null ? ` (${taskManager})` : ""}.`,
  "task.end": ({ task, ending }) => `${task} ${threadEndings[ending]}.`,
  detect: ({ task, failure, ms }) =>
    `The JobManager learns${ms === null || ms === 0 ? "" : `, ${duration(ms)} later,`} that ${task} failed: ${causes[failure]}.`,
  "detect.taskManager": ({ taskManager, ms }) =>
    `The JobManager gives ${taskManager} up${ms === null ? "" : `, ${duration(ms)} after it fell silent`}. Every task on it has failed.`,
  "taskManager.back": ({ taskManager }) => `${taskManager} registers with the JobManager and offers its slots.`,
  fault: ({ fault, target, rpc, ms }) =>
    faultSentences[fault](target ?? "the job", rpc === null ? "message" : messages[rpc], ms),
  restart: ({ tasks, of, delay, restarts, scope, failure }) =>
    `Restart ${restarts} is granted in ${duration(delay)}: ${tasks} of ${plural(of, "task", "tasks")} must start again (${scope === "region" ? "the region of the failed task" : "the whole job"})${failure === null ? "" : `, because of ${causes[failure]}`}.`,
  "restore.state": ({ task, checkpoint }) =>
    `${task} gets back the state that checkpoint ${checkpoint} holds for it. What came later is forgotten here and will be replayed.`,
  "restore.given": ({ task, checkpoint, savepoint, pieces }) => {
    const snapshot = `${savepoint ? "savepoint" : "checkpoint"} ${checkpoint}`;
    const told = pieces.map(({ kind, what, from }) =>
      what === null ? `what ${from} held` : `${kind === "key-groups" ? "key groups " : ""}${what} of ${from}`,
    );
    return told.length === 0
      ? `${task} starts empty: ${snapshot} has nothing for it.`
      : `${task} is given, from ${snapshot}: ${told.join(", ")}.`;
  },
  "restore.seek": ({ task, partition, position, offset, again }) =>
    `${task} ${position > offset ? `goes back in ${partition} from offset ${position} to` : `goes on in ${partition} at offset`} ${offset}, as the restored state says: ${again === 0 ? "nothing is" : plural(again, "record is", "records are")} read once more.`,
  "restore.finished": ({ task, checkpoint }) =>
    `${task} had finished in checkpoint ${checkpoint}: it runs no operator, passes barriers on and ends again.`,
  "reader.registers": ({ task }) => `${task} registers with its operator coordinator in the JobManager.`,
  "split.assign": ({ task, partition }) => `The split enumerator assigns ${partition} to ${task}.`,
  "split.add": ({ task, partition, offset }) => `${task} has ${partition} now and reads it from offset ${offset}.`,
  "split.found": ({ vertex, partition }) =>
    `The split enumerator of ${vertex} finds a new partition, ${partition}. It is read from its beginning, so that nothing is skipped.`,
  "src.reset": ({ task, partition, position, offset }) =>
    offset > position
      ? `Offset ${position} of ${partition} is gone from the log: ${task} goes on at ${offset}. The ${plural(offset - position, "record", "records")} between are lost.`
      : `${partition} has no offset ${position}: ${task} goes on at ${offset}.`,
  "wal.logged": ({ task, checkpoint, records }) =>
    `${task} closes its stream: ${plural(records, "record", "records")} wait in its state until checkpoint ${checkpoint} is complete. Nothing has gone out.`,
  "wal.committed": ({ task, checkpoint }) =>
    `${task} has sent the batch of checkpoint ${checkpoint}, and its committer has recorded that, outside of Flink's state.`,
  "wal.known": ({ task, checkpoint }) =>
    `The committer of ${task} has recorded the batch of checkpoint ${checkpoint} before: it is not sent again.`,
  "wal.kept": ({ task, checkpoint, sent }) =>
    sent
      ? `${task} has sent the batch of checkpoint ${checkpoint}, but its committer could not record it: the batch will be sent again, and its records come twice.`
      : `${task} could not send the batch of checkpoint ${checkpoint}: it is kept for the next notification. The job does not fail.`,
  "src.closed": ({ task, position, offset }) =>
    `The connection of ${task} breaks. It cannot ask for anything again: what it was given since the last completed checkpoint is gone${offset > position ? `, and ${plural(offset - position, "record", "records")} that it had not read yet with it` : ""}.`,
  "split.back": ({ task, partition, checkpoint }) =>
    `${checkpoint === 0 ? `${task} starts without a checkpoint` : `Checkpoint ${checkpoint} does not know that ${task} has ${partition}`}: ${checkpoint === 0 ? partition : "it"} goes back to the split enumerator.`,
  "coordinator.reset": ({ vertex, checkpoint }) =>
    checkpoint === 0
      ? `The operator coordinator of ${vertex} begins anew: every split is to be assigned again.`
      : `The operator coordinator of ${vertex} goes back to its snapshot in checkpoint ${checkpoint}.`,
  "end.operators": ({ task }) =>
    `${task} has reached the end of its input and finishes its operators. It runs on until a checkpoint has covered that.`,
  "end.data.send": ({ task, channel }) => `${task} tells the next task on ${channel} that no more records come.`,
  "end.data": ({ task, channel }) => `${task} has processed all records of ${channel}, and says so.`,
  "end.partition.send": ({ task, channel }) => `${task} ends, and ${channel} with it.`,
  "result.request": ({ task, channel, records }) =>
    `${task} reads the ${records} records that ${channel} has left on its producer's TaskManager, from the first.`,
  "end.partition": ({ task, channel }) => `${channel} has ended: ${task} waits for no more barriers on it.`,
  fatal: ({ task, taskManager }) => `${task} does not end when cancelled: ${taskManager} ends its own process.`,
  "slot.none": ({ task }) => `No slot could be had for ${task} in time.`,

  "src.emit": ({ task, record: name, key }) => `${task} reads ${record(name, key)} and moves its position behind it.`,
  "rec.send": ({ task, record: name, channel }) => `${task} sends ${name} into ${channel}.`,
  "rec.receive": ({ task, record: name, channel }) => `${task} takes ${name} from ${channel} and works on it.`,
  "cut.part": ({ task, step, records }) =>
    `${task} gives its part of the drawn cut, as behind entry ${step}, with ${plural(records, "record", "records")} in transit to it.`,
  "cut.withheld": ({ task, record: name, store }) =>
    `${name}, which ${task} wrote behind the drawn cut, does not come into ${keepers[store]}.`,
  "cut.refused": ({ task, refusal }) =>
    `No job starts from the drawn cut: ${task === "" ? "" : `${task}: `}${cutRefused[refusal]}.`,
  "rec.known": ({ task, record: name }) => `${task} has seen ${name} before, and drops it.`,
  "rec.process": ({ task, record: name, key, value, stateful }) =>
    stateful
      ? `${task} applies ${name}: ${key} is now ${value}.`
      : `${task} applies ${record(name, key)} and hands on ${value}.`,
  "rec.replay": ({ task, record: name, key, value, stateful, pass }) =>
    stateful
      ? `${task} applies ${name} again (pass ${pass}): ${key} is now ${value}. The restored state had not seen it.`
      : `${task} applies ${record(name, key)} again (pass ${pass}) and hands on ${value}.`,
  "rec.write": ({ task, record: name, value, partition, store, offset, transaction }) =>
    `${task} writes ${value} for ${name} to ${partition} ${stores[store]} ${offset}${transaction === null ? ": visible to every reader at once" : ", not yet visible to committed readers"}.`,

  "ck.trigger": ({ checkpoint, sources, asked, kind }) =>
    `${kind === "CHECKPOINT" ? "Checkpoint" : "Savepoint"} ${checkpoint} starts${asked ? ", asked for by hand" : ""}: the operator coordinators save their state, then the JobManager tells ${plural(sources, "source", "sources")} to put a barrier into the stream.`,
  "ck.hold": ({ pending, kind }) =>
    `The next ${kind === "CHECKPOINT" ? "checkpoint" : "savepoint"} waits: ${plural(pending, "is", "are")} pending, as many as may be, or one is being triggered.`,
  "ck.reject": ({ reason, kind }) =>
    `A ${kind === "CHECKPOINT" ? "checkpoint" : "savepoint"} request is dropped. ${reasons[reason]}`,
  "sp.located": ({ checkpoint, path, format }) =>
    `Savepoint ${checkpoint} goes to ${path}, in ${format.toLowerCase()} format. It is the user's: Flink never deletes it.`,
  "op.answered": ({ fault, answer, checkpoint }) => operationAnswered[answer](fault, checkpoint),
  "bar.inject": ({ task, checkpoint, channel, offsets }) =>
    `${task} puts barrier ${checkpoint} into ${channel}${offsets.length === 0 ? "" : `, before offset ${offsets.map(({ partition, offset }) => `${offset} of ${partition}`).join(", ")}`}. What follows belongs to the next checkpoint.`,
  "bar.forward": ({ task, checkpoint, channel, unaligned }) =>
    unaligned
      ? `${task} passes barrier ${checkpoint} on into ${channel} at once. It need not wait for the records that are still to be sent there.`
      : `${task} passes barrier ${checkpoint} on into ${channel}, behind all that it has sent there.`,
  "bar.arrive": ({ task, checkpoint, channel, arrived, of, blocks }) =>
    `Barrier ${checkpoint} reaches ${task} on ${channel} (${arrived} of ${of}).${blocks || arrived >= of ? "" : " At-least-once blocks nothing: the task goes on reading behind it."}`,
  "bar.late": ({ task, checkpoint, channel }) =>
    `Barrier ${checkpoint} reaches ${task} on ${channel}, but ${task} is done with that checkpoint.`,
  "bar.lock": ({ task, checkpoint, channel, waiting }) =>
    `${task} stops reading ${channel} until ${plural(waiting, "other barrier arrives", "other barriers arrive")}: what comes behind barrier ${checkpoint} must not get into checkpoint ${checkpoint}.`,
  "bar.unlock": ({ task, channel }) => `${task} reads ${channel} again.`,
  "bar.aligned": ({ task, checkpoint, ms, of, how }) => {
    if (how === "unaligned")
      return of === 1
        ? `Nothing is in front of barrier ${checkpoint} at ${task} any more: it has no other input to wait for.`
        : `The barriers of all ${of} inputs of ${task} are in, ${duration(ms)} after the first: its channel state for checkpoint ${checkpoint} is complete. It never stopped reading.`;
    if (of === 1) return `${task} has the barrier of checkpoint ${checkpoint} on its only input.`;
    return how === "aligned"
      ? `${task} is aligned for checkpoint ${checkpoint} after ${duration(ms)}: the barriers of all ${of} inputs are in.`
      : `${task} has counted the barriers of checkpoint ${checkpoint} on all ${of} inputs after ${duration(ms)}. It blocked nothing: records behind the first of them are in its state too.`;
  },
  "bar.abort": ({ task, checkpoint, reason }) =>
    `${task} stops waiting for the barriers of checkpoint ${checkpoint}. ${reasons[reason]}`,
  "bar.announce": ({ task, checkpoint, channel }) =>
    `${task} learns that barrier ${checkpoint} waits behind records on ${channel}. Its timeout runs.`,
  "bar.timeout": ({ task, checkpoint, ms, begun }) =>
    `The barriers of checkpoint ${checkpoint} are not all at ${task} ${duration(ms)} after its trigger: from now on it is unaligned. ${begun ? "The task takes its snapshot now." : "The task takes its snapshot with the first barrier."}`,
  "snap.unaligned": ({ task, checkpoint, waits }) =>
    waits
      ? `${task} takes its snapshot for checkpoint ${checkpoint} at once. Until the other barriers come, the records before them are stored with it.`
      : `${task} takes its snapshot for checkpoint ${checkpoint}. Its barrier overtakes what waits to be sent.`,
  "snap.inFlight": ({ task, checkpoint, channel, records, side, bytes, timedOut }) =>
    side === "input"
      ? `${task} stores ${plural(records, "record", "records")} (${byteSize(bytes)}) of ${channel} with checkpoint ${checkpoint}: they came before the barrier, and the snapshot does not know them.`
      : `${timedOut ? `The timeout is over, and barrier ${checkpoint} has not left the buffers of ${task}: it turns unaligned and` : `Barrier ${checkpoint}`} overtakes ${plural(records, "record", "records")} (${byteSize(bytes)}) that ${task} still has to send on ${channel}; they are stored with the checkpoint.`,
  "restore.inFlight": ({ task, checkpoint, channel, records, side }) =>
    `${plural(records, "record", "records")} of checkpoint ${checkpoint} ${side === "input" ? `are on ${channel} again, for ${task} to work on before anything new` : `are in the buffers of ${task} for ${channel} again, ahead of anything new`}.`,
  "bar.cancel.send": ({ task, checkpoint, channel }) =>
    `${task} tells the next task on ${channel} not to wait for barrier ${checkpoint}.`,
  "bar.cancel": ({ task, checkpoint, channel }) =>
    `${task} learns on ${channel} that barrier ${checkpoint} will not come.`,
  "snap.sync": ({ task, checkpoint }) =>
    `${task} freezes its state for checkpoint ${checkpoint} and goes on working; the copy is written out in the background.`,
  "snap.async": ({ task, checkpoint, bytes, ms }) =>
    `The state of ${task} (${byteSize(bytes)}) is in checkpoint storage after ${duration(ms)}; its acknowledgement for ${checkpoint} leaves.`,
  "snap.discard": ({ task, checkpoint }) => `${task} throws its half-written part of checkpoint ${checkpoint} away.`,
  "snap.fail": ({ task, checkpoint, reason }) =>
    `${task} cannot write its part of checkpoint ${checkpoint} out and declines it; the task goes on. ${reasons[reason]}`,
  "file.write": ({ task, checkpoint, bytes, shared }) =>
    `${task === null ? "The metadata" : `State of ${task}`} is written for checkpoint ${checkpoint} (${byteSize(bytes)}${shared ? ", later checkpoints may refer to it" : ""}).`,
  "file.reuse": ({ task, checkpoint, bytes }) =>
    `The snapshot of ${task} for checkpoint ${checkpoint} refers to ${byteSize(bytes)} that an earlier one wrote.`,
  "file.delete": ({ checkpoint }) =>
    `A file that was written for checkpoint ${checkpoint} is deleted: nothing refers to it.`,
  "ck.ack": ({ task, checkpoint, acknowledged, of }) =>
    `${task} acknowledges checkpoint ${checkpoint} (${acknowledged} of ${of}).`,
  "ck.ack.refused": ({ task, checkpoint, fate }) =>
    `The acknowledgement of ${task} for checkpoint ${checkpoint} is thrown away: ${fates[fate]}.`,
  "ck.decline": ({ task, checkpoint, reason }) =>
    `${task} cannot take part in checkpoint ${checkpoint}. ${reasons[reason]}`,
  "ck.metadata": ({ checkpoint }) =>
    `All have acknowledged checkpoint ${checkpoint} and its metadata is written. It does not count yet.`,
  "ck.durable": ({ checkpoint, ms, kind }) =>
    `${kind === "CHECKPOINT" ? "Checkpoint" : "Savepoint"} ${checkpoint} is complete${ms === null ? "" : `, ${duration(ms)} after it started`}. ${completed[kind]}`,
  "ck.abort": ({ checkpoint, reason, counts, failures, tolerable }) =>
    `Checkpoint ${checkpoint} fails. ${reasons[reason]} ${counts ? failuresWords(failures, tolerable) : "It does not count."}${counts && failures > tolerable ? "" : " Nothing is rolled back."}`,
  "ck.coord": ({ vertex, checkpoint, assigned }) =>
    `The operator coordinator of ${vertex} saves its state for checkpoint ${checkpoint}: ${plural(assigned, "split is", "splits are")} with readers. The triggers leave behind it.`,
  "ck.subsume": ({ checkpoint }) =>
    `Checkpoint ${checkpoint} is no longer needed and is deleted: a newer one is complete.`,
  "ck.notify": ({ task, checkpoint }) => `${task} learns that checkpoint ${checkpoint} is complete.`,
  "ck.notify.aborted": ({ task, checkpoint }) => `${task} learns that checkpoint ${checkpoint} has failed.`,
  "ck.notify.subsumed": ({ task, checkpoint }) =>
    `${task} learns that checkpoint ${checkpoint} is no longer needed. No operator here keeps anything for it.`,
  "rpc.lost": ({ task, checkpoint, rpc }) =>
    `The ${messages[rpc]}${checkpoint === null ? "" : ` of checkpoint ${checkpoint}`} between the JobManager and ${task} is lost.`,
  "src.offsets": ({ task, partition, position, byItself }) =>
    byItself
      ? `The consumer of ${task} commits by itself: it has fetched ${partition} up to ${position}, whatever has become of that. A start from the group's offsets goes on there.`
      : `${task} tells the consumer group that ${partition} is read up to ${position}. For monitoring only: a restore does not use it.`,

  "txn.fence": ({ task, transaction, epoch }) =>
    epoch === 0
      ? `${task ?? "A sink"} makes ${transaction} its own.`
      : `${task ?? "A sink"} takes ${transaction} over: no older producer can write or commit under it any more.`,
  "txn.begin": ({ task, transaction, checkpoint, store }) =>
    store === "files"
      ? `${task ?? "A sink"} opens part file ${transaction}: it is in progress.`
      : `${task ?? "A sink"} opens transaction ${transaction} for what checkpoint ${checkpoint} will cover.`,
  "txn.pre": ({ task, transaction, records, checkpoint, waits, store }) =>
    store === "files"
      ? `${task ?? "A sink"} closes part file ${transaction} (${plural(records, "record", "records")}): it is pending. Whether it is finished is up to checkpoint ${checkpoint}.`
      : waits
        ? `${task ?? "A sink"} pre-commits ${transaction} (${plural(records, "record", "records")}): written and flushed, not visible. Whether it counts is up to checkpoint ${checkpoint}.`
        : `${task ?? "A sink"} ends ${transaction} (${plural(records, "record", "records")}) at the barrier and commits it at once, whatever becomes of checkpoint ${checkpoint}.`,
  "txn.recycle": ({ transaction }) => `${transaction} holds nothing, so there is nothing to commit.`,
  "txn.request": ({ task, transaction, decider, store }) =>
    `${task ?? "A sink"} asks ${keepers[store]} to commit ${transaction}: ${deciders[decider]}.`,
  "txn.retry": ({ task, transaction, request, store }) =>
    `${task ?? "A sink"} asks ${keepers[store]} again to commit ${transaction} (request ${request}).`,
  "txn.later": ({ task, transaction, retries }) =>
    `The commit of ${transaction} has failed for a reason that may pass: ${task ?? "the sink"} tries again (retry ${retries}).`,
  "txn.commit": ({ transaction, decider }) =>
    `${transaction} is committed: ${deciders[decider]}. Committed readers may see its records.`,
  "txn.again": ({ transaction }) => `${transaction} had been committed already; committing it again changes nothing.`,
  "txn.abort": ({ transaction, decider }) =>
    `${transaction} is aborted: ${deciders[decider]}. Committed readers never see its records.`,
  "txn.timeout": ({ transaction, ms, store }) =>
    `${sentence(keepers[store])} gives up on ${transaction}: it was open for more than ${duration(ms)}. Its records will never be visible.`,
  "txn.ignored": ({ transaction, ms }) =>
    `The commit of ${transaction} fails, but it is older than the sink was told a transaction may become (${duration(ms)}): the restore goes on, and its records are gone.`,
  "file.resume": ({ task, transaction, records, dropped }) =>
    `${task ?? "A sink"} writes on in part file ${transaction}, which has ${plural(records, "record", "records")} in the restored state${dropped === 0 ? "" : `: ${plural(dropped, "later record is", "later records are")} cut off`}.`,
  "txn.refused": ({ transaction, answer, store }) => {
    if (store !== "log")
      return `The commit of ${transaction} is refused: ${keepers[store]} has aborted it, or does not know it. An exception ends the task.`;
    return answer === "INVALID_PRODUCER_ID_MAPPING"
      ? `The commit of ${transaction} is refused: ${answers[answer]}. The sink does not know this reason, so its task fails.`
      : `The commit of ${transaction} is refused: ${answers[answer]}. The sink drops it and goes on; its records are gone.`;
  },
  "txn.prepared": ({ transaction, commit, decider }) =>
    `It is decided that ${transaction} is ${commit ? "committed" : "aborted"}: ${deciders[decider]}. Each partition that it wrote to is told next.`,
  "txn.marker": ({ transaction, commit, partition }) =>
    `${partition} has the ${commit ? "commit" : "abort"} marker of ${transaction}: there its records are ${commit ? "visible from here on" : "never visible"}.`,
  "txn.deferred": ({ transaction }) =>
    `The broker still writes markers for the last end of ${transaction}; the producer asks again.`,
  "txn.expired": ({ transaction }) =>
    `Nobody had used ${transaction} for so long that the broker has forgotten it (transactional.id.expiration.ms).`,
  "write.failed": ({ task, record, error }) =>
    error === "retriable"
      ? `${task}'s write of ${record} fails; its producer sends it again.`
      : `${task}'s write of ${record} fails for good: the task fails.`,
  "write.repeated": ({ task, record }) =>
    `${task}'s producer sends ${record} again, having heard nothing. The broker has it already and does not append it twice.`,
  "committable.send": ({ task, transaction, checkpoint }) =>
    `${task} hands ${transaction ?? "nothing"} to the committer for checkpoint ${checkpoint}. Its barrier goes behind that.`,
  "committable.take": ({ task, transaction, checkpoint }) =>
    `${task} has ${transaction ?? "nothing more"} to commit with checkpoint ${checkpoint}.`,
  "table.request": ({ task, checkpoint, files, decider }) =>
    `${task} asks the table to commit ${plural(files, "data file", "data files")} up to checkpoint ${checkpoint}: ${deciders[decider]}.`,
  "table.commit": ({ checkpoint, files }) =>
    `The table has a new snapshot, with ${plural(files, "data file", "data files")} more. It remembers that all up to checkpoint ${checkpoint} is committed.`,
  "commit.global": ({ checkpoint, committables }) =>
    `The global committer has the parts of all committers and commits checkpoint ${checkpoint}: ${plural(committables, "transaction", "transactions")}.`,
  "table.skip": ({ transaction, checkpoint, highest }) =>
    `The table says that all up to checkpoint ${highest} is committed, so ${transaction}, of checkpoint ${checkpoint}, is passed by.`,
  "table.again": ({ transaction, records }) =>
    `The table lists ${transaction} once more: ${plural(records, "record is", "records are")} there twice.`,
  "write.background": ({ partition, offset }) => `Another producer writes to ${partition}, offset ${offset}.`,
  "txn.listed": ({ task, open, own }) =>
    `${task} asks the broker which transactions are open on its topic: ${open}, of which ${own} ${own === 1 ? "is" : "are"} its own to abort.`,
};
