/** Checkpoints in the JobManager and at each subtask, and the coordinator (CP-013, CP-100 to CP-155, FR-082, FR-085). */
import { at } from "../base/assert.ts";
import { checkpointFailureReasons, checkpointKinds, savepointFormats } from "../protocol/reasons.ts";
import { type Handler, places, tellsOfSubsumption } from "./fields.ts";
import { adoptCuts, dropCuts, restorePositions } from "./inputs.ts";
import { checkpointPlace, frozen, ownCheckpoint, ownSubtask } from "./own.ts";
import { RECORD_BYTES } from "../scenario/model.ts";
import { savepointDirectory, savepointPath } from "../scenario/savepoint-path.ts";
import { threadCloses } from "./threads.ts";
import type { CheckpointView, RunView, SnapshotView } from "./views.ts";

const coordinator = places("CoordinatorSnapshotTaken");
const triggered = places("CheckpointTriggered");
const barrierIn = places("BarrierReceived");
const barrierOut = places("BarrierEmitted");
const aligned = places("AlignmentCompleted");
const alignmentAborted = places("AlignmentAborted");
const taken = places("SnapshotTaken");
const persisted = places("SnapshotPersisted");
const discarded = places("SnapshotDiscarded");
const failed = places("SnapshotFailed");
const reusedFile = places("CheckpointFileReused");
const received = places("RecordReceived");
const acknowledged = places("CheckpointAcknowledged");
const acknowledgementDiscarded = places("AcknowledgementDiscarded");
const declined = places("CheckpointDeclined");
const metadata = places("CheckpointMetadataWritten");
const completed = places("CheckpointCompleted");
const located = places("SavepointLocationInitialized");
const recovered = places("CheckpointRecovered");
const aborted = places("CheckpointAborted");
const subsumed = places("CheckpointSubsumed");
const notified = places("NotificationDelivered");
const restored = places("StateRestored");

const untouched: SnapshotView = {
  state: "NONE",
  attempt: -1,
  firstBarrierAt: -1,
  alignedAt: -1,
  alignment: -1,
  startDelay: -1,
  sync: -1,
  async: -1,
  startedAt: -1,
  takenAt: -1,
  persistedAt: -1,
  acknowledgedAt: -1,
  notifiedAt: -1,
  bytes: -1,
  reused: 0,
  processed: 0,
  persisted: 0,
  finished: false,
  declined: null,
  refused: false,
  contents: null,
  convertedAt: -1,
  unaligned: false,
  inFlight: [],
};

/** Writes something down about a subtask's part of a checkpoint. */
export function notePart(view: RunView, checkpoint: number, subtask: number, change: Partial<SnapshotView>): void {
  const node = ownCheckpoint(view, checkpoint);
  if (node === null) return;
  const before = node.parts[subtask] ?? { ...untouched, attempt: at(view.subtasks, subtask).attempt };
  node.parts[subtask] = { ...before, ...change };
}

export function partOf(view: RunView, checkpoint: number, subtask: number): SnapshotView | null {
  const place = checkpointPlace(view, checkpoint);
  return place < 0 ? null : (at(view.checkpoints, place).parts[subtask] ?? null);
}

export const checkpointTriggered: Handler = (view, log, step, clock) => {
  const id = log.field(step, triggered.checkpoint);
  view.checkpoints.push({
    id,
    kind: at(checkpointKinds, log.field(step, triggered.kind)),
    state: "PENDING",
    triggeredAt: clock,
    step,
    latestAckAt: -1,
    metadataAt: -1,
    endedAt: -1,
    subsumedAt: -1,
    acknowledged: 0,
    coordinators: 0,
    bytes: 0,
    fullBytes: 0,
    reason: null,
    counts: false,
    failures: -1,
    notified: 0,
    restores: 0,
    parts: view.subtasks.map(() => null),
    savepoint: null,
    owner: view.owner,
  });
  view.coordinator = { ...view.coordinator, pending: [...view.coordinator.pending, id] };
};

/** Where a savepoint goes, and in which format (CP-161, CP-162). */
export const savepointLocated: Handler = (view, log, step) => {
  const id = log.field(step, located.checkpoint);
  const node = ownCheckpoint(view, id);
  const { scenario, commands, submission } = view.shared;
  const directory = savepointDirectory(scenario, commands[log.field(step, located.fault)] ?? {});
  if (node === null || directory === null) return;
  const format = at(savepointFormats, log.field(step, located.format));
  node.savepoint = { format, path: savepointPath(directory, scenario, id, submission) };
};

/** Finished subtasks are not waited for, and have no state in the checkpoint; what theirs was shows what became of records (CP-190). */
export const finishedLeftOut: Handler = (view, log, step, clock) => {
  const id = log.field(step, triggered.checkpoint);
  const node = ownCheckpoint(view, id);
  view.subtasks.forEach(({ state, held }, subtask) => {
    if (node === null || state !== "FINISHED") return;
    notePart(view, id, subtask, { acknowledgedAt: clock, finished: true, contents: frozen(held) });
    node.acknowledged++;
  });
};

export const coordinatorAcknowledged: Handler = (view, log, step) => {
  const node = ownCheckpoint(view, log.field(step, coordinator.checkpoint));
  if (node !== null) node.coordinators++;
};

export const firstBarrier: Handler = (view, log, step, clock) => {
  if (log.field(step, barrierIn.aligned) !== 1) return;
  notePart(view, log.field(step, barrierIn.checkpoint), log.field(step, barrierIn.subtask), { firstBarrierAt: clock });
};

/** An unaligned one began with its first barrier. */
export const partAligned: Handler = (view, log, step, clock) => {
  const [checkpoint, subtask] = [log.field(step, aligned.checkpoint), log.field(step, aligned.subtask)];
  const part = partOf(view, checkpoint, subtask);
  const startedAt = part?.unaligned === true ? part.startedAt : clock;
  notePart(view, checkpoint, subtask, { alignedAt: clock, startedAt, alignment: log.field(step, aligned.duration) });
};

export const partStarted: Handler = (view, log, step, clock) => {
  const [checkpoint, subtask] = [log.field(step, barrierOut.checkpoint), log.field(step, barrierOut.subtask)];
  const part = partOf(view, checkpoint, subtask);
  if (part === null || part.startedAt < 0) notePart(view, checkpoint, subtask, { startedAt: clock });
};

export const partGivenUp: Handler = (view, log, step) =>
  notePart(view, log.field(step, alignmentAborted.checkpoint), log.field(step, alignmentAborted.subtask), {
    declined: at(checkpointFailureReasons, log.field(step, alignmentAborted.reason)),
  });

/** The cut: what the subtask holds now is the snapshot's. */
export const snapshotTaken: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, taken.subtask);
  const [startDelay, sync] = [log.field(step, taken.startDelay), log.field(step, taken.duration)];
  const contents = frozen(at(view.subtasks, subtask).held);
  const checkpoint = log.field(step, taken.checkpoint);
  const startedAt = clock - sync;
  notePart(view, checkpoint, subtask, { startDelay, sync, startedAt, takenAt: clock, contents });
};

export const snapshotPersisted: Handler = (view, log, step, clock) =>
  notePart(view, log.field(step, persisted.checkpoint), log.field(step, persisted.subtask), {
    persistedAt: clock,
    bytes: log.field(step, persisted.bytes),
    async: log.field(step, persisted.duration),
  });

/** Of a checkpoint that is still pending, only a thread that ends discards its part. */
export const snapshotDiscarded: Handler = (view, log, step) => {
  const [subtask, checkpoint] = [log.field(step, discarded.subtask), log.field(step, discarded.checkpoint)];
  notePart(view, checkpoint, subtask, { contents: null });
  if (view.coordinator.pending.includes(checkpoint)) threadCloses(view, subtask);
};

export const snapshotFailed: Handler = (view, log, step) =>
  notePart(view, log.field(step, failed.checkpoint), log.field(step, failed.subtask), {
    declined: at(checkpointFailureReasons, log.field(step, failed.reason)),
    contents: null,
  });

export const checkpointAcknowledged: Handler = (view, log, step, clock) => {
  const [subtask, checkpoint] = [log.field(step, acknowledged.subtask), log.field(step, acknowledged.checkpoint)];
  const finished = at(view.subtasks, subtask).finishedOnRestore;
  notePart(view, checkpoint, subtask, {
    acknowledgedAt: clock,
    finished,
    attempt: log.field(step, acknowledged.attempt),
  });
  const node = ownCheckpoint(view, checkpoint);
  if (node === null) return;
  node.acknowledged = log.field(step, acknowledged.acknowledged);
  node.latestAckAt = clock;
  const part = node.parts[subtask] ?? null;
  const written = Math.max(0, part?.bytes ?? 0);
  node.bytes += written;
  node.fullBytes += written + (part?.reused ?? 0);
};

export const fileReused: Handler = (view, log, step) => {
  const [subtask, checkpoint] = [log.field(step, reusedFile.subtask), log.field(step, reusedFile.checkpoint)];
  const before = partOf(view, checkpoint, subtask)?.reused ?? 0;
  notePart(view, checkpoint, subtask, { reused: before + log.field(step, reusedFile.bytes) });
};

/** A record that is taken between the first barrier of a checkpoint and the last (CP-204). */
export const recordWhileAligning: Handler = (view, log, step) => {
  const subtask = log.field(step, received.subtask);
  const { state, checkpoint } = at(view.subtasks, subtask).handler;
  if (!state.startsWith("COLLECTING")) return;
  const before = partOf(view, checkpoint, subtask)?.processed ?? 0;
  notePart(view, checkpoint, subtask, { processed: before + RECORD_BYTES });
};

export const acknowledgementRefused: Handler = (view, log, step) => {
  const subtask = log.field(step, acknowledgementDiscarded.subtask);
  notePart(view, log.field(step, acknowledgementDiscarded.checkpoint), subtask, { refused: true });
};

export const checkpointDeclined: Handler = (view, log, step) =>
  notePart(view, log.field(step, declined.checkpoint), log.field(step, declined.subtask), {
    declined: at(checkpointFailureReasons, log.field(step, declined.reason)),
  });

export const metadataWritten: Handler = (view, log, step, clock) => {
  const node = ownCheckpoint(view, log.field(step, metadata.checkpoint));
  if (node !== null) node.metadataAt = clock;
};

export const checkpointCompleted: Handler = (view, log, step, clock) => {
  const id = log.field(step, completed.checkpoint);
  const node = ownCheckpoint(view, id);
  if (node !== null) node.endedAt = clock;
  const { coordinator } = view;
  const stored = node === null || node.kind === "CHECKPOINT";
  const pending = coordinator.pending.filter((other) => other !== id);
  view.coordinator = {
    ...coordinator,
    pending,
    completed: stored ? [...coordinator.completed, id] : coordinator.completed,
    restoreCandidate: stored ? id : coordinator.restoreCandidate,
    failures: 0,
    lastCompletion: clock,
  };
  // No recovery goes back to a savepoint (CP-125).
  if (stored) adoptCuts(view, id);
  else dropCuts(view, id);
};

export const checkpointAborted: Handler = (view, log, step, clock) => {
  const id = log.field(step, aborted.checkpoint);
  const node = ownCheckpoint(view, id);
  if (node !== null) {
    node.endedAt = clock;
    node.reason = at(checkpointFailureReasons, log.field(step, aborted.reason));
    node.counts = log.field(step, aborted.counts) === 1;
    node.failures = log.field(step, aborted.failures);
  }
  // What has metadata a new leader may still find in the store (FI-25).
  if (node !== null && node.metadataAt < 0) dropContents(node);
  const pending = view.coordinator.pending.filter((other) => other !== id);
  view.coordinator = { ...view.coordinator, pending, failures: log.field(step, aborted.failures) };
  if (node === null || node.metadataAt < 0) dropCuts(view, id);
};

/** The new leader has it in its store after all. */
export const checkpointRecovered: Handler = (view, log, step) => {
  const id = log.field(step, recovered.checkpoint);
  const { coordinator } = view;
  view.coordinator = { ...coordinator, completed: [...coordinator.completed, id], restoreCandidate: id };
  adoptCuts(view, id);
};

/** They end with their coordinator; nobody counts them, and nobody is told. */
export const pendingLost: Handler = (view, _, __, clock) => {
  for (const id of view.coordinator.pending) {
    const node = ownCheckpoint(view, id);
    if (node !== null) {
      node.endedAt = clock;
      dropContents(node);
    }
    dropCuts(view, id);
  }
};

export const checkpointSubsumed: Handler = (view, log, step, clock) => {
  const id = log.field(step, subsumed.checkpoint);
  const node = ownCheckpoint(view, id);
  if (node !== null) {
    node.subsumedAt = clock;
    dropContents(node);
  }
  view.coordinator = { ...view.coordinator, completed: view.coordinator.completed.filter((other) => other !== id) };
  dropCuts(view, id);
};

function dropContents(node: CheckpointView): void {
  node.parts = node.parts.map((part) =>
    part === null || part.contents === null ? part : { ...part, contents: null, inFlight: [] },
  );
}

export const notificationDelivered: Handler = (view, log, step, clock) => {
  if (tellsOfSubsumption(log, step)) return;
  const checkpoint = log.field(step, notified.checkpoint);
  notePart(view, checkpoint, log.field(step, notified.subtask), { notifiedAt: clock });
  const node = ownCheckpoint(view, checkpoint);
  if (node !== null) node.notified++;
};

/** A new attempt is given what a completed checkpoint holds for its subtask. */
export const stateRestored: Handler = (view, log, step) => {
  const subtask = log.field(step, restored.subtask);
  const checkpoint = log.field(step, restored.checkpoint);
  const node = ownSubtask(view, subtask);
  node.restored = checkpoint;
  const source = ownCheckpoint(view, checkpoint);
  if (source === null) return;
  source.restores++;
  const contents = source.parts[subtask]?.contents ?? null;
  if (contents === null) return;
  node.held = contents;
  restorePositions(view, subtask, contents);
};

export const restoredAsFinished: Handler = (view, log, step) => {
  ownSubtask(view, log.field(step, restored.subtask)).finishedOnRestore = true;
};
