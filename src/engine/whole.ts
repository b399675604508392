/** The whole engine, the parts that few runs need with it. */
import * as alternating from "./alternating-handler.ts";
import {
  abortTracked,
  channelEnded,
  onBarrier,
  onCancelMarker,
  trackedAligned,
  triggerOpenChannels,
} from "./barrier-tracker.ts";
import { heartbeatTimeout, holds, leaderTimeout } from "./cutting.ts";
import { committableDone, sendCommittable, takeCommittable } from "./committables.ts";
import { killJobManager, leaderGranted, leaderLost, startAgain, takeOver } from "./leadership.ts";
import { faultEffect, healAfter, resumeTask, storageUp } from "./fault-effects.ts";
import { askForSavepoint, cancelJob, savepointEnded } from "./job-operations.ts";
import { type LateParts, addLateParts } from "./late-parts.ts";
import { writeBackground } from "./log-broker/background.ts";
import { brokerUp } from "./log-broker/broker-process.ts";
import { clientTimeout } from "./sinks/client-timeouts.ts";
import * as database from "./sinks/database.ts";
import { file } from "./sinks/file-sink.ts";
import { follow } from "./schedules.ts";
import { forwardBatch, globalCommitter } from "./sinks/global-committer.ts";
import { naive } from "./sinks/naive.ts";
import { abortListed, freeOffset, pooledName, storeOwnership } from "./sinks/pooled-ids.ts";
import { commitFiles, dropFiles, expireTableSnapshots, tableCommit, tableCommitter } from "./sinks/table-committer.ts";
import { tableWriter } from "./sinks/table-writer.ts";
import { twoPhaseCommit } from "./sinks/two-phase-commit.ts";
import { writeRepeated } from "./sinks/write-errors.ts";
import { sendBatch, sendValues, writeAheadLog } from "./sinks/write-ahead-log.ts";
import { submitJob } from "./submission.ts";
import { matching, serve } from "./due-faults.ts";
import { isBehindCut, restoreCut, watchCut } from "./restore-cut.ts";
import { leaveOut } from "./suppress.ts";

const alternatingHandler = {
  onBarrier: alternating.onBarrier,
  onCancelMarker: alternating.onCancelMarker,
  channelEnded: alternating.channelEnded,
  triggerOpenChannels: alternating.triggerOpenChannels,
  takePriority: alternating.takePriority,
  onAlignmentTimeout: alternating.onAlignmentTimeout,
};

const handlers: LateParts["handlers"] = {
  submitJob,
  restoreCut,
  faultEffect,
  resumeTask,
  storageUp,
  heal: healAfter,
  askForSavepoint,
  savepointEnded,
  cancelJob,
  databaseCommit: database.commit,
  sendBatch,
  sendValues,
  writeBackground,
  forwardBatch,
  sendCommittable,
  takeCommittable,
  committableDone,
  tableCommit,
  commitFiles,
  dropFiles,
  expireTableSnapshots,
  trackedAligned,
  alignmentTimeout: alternating.alignmentTimeout,
  abortAlternating: alternating.abortAlternating,
  alternatingAligned: alternating.alternatingAligned,
  barriersReceived: alternating.barriersReceived,
  abortTracked,
  killJobManager,
  leaderLost,
  takeOver,
  leaderGranted,
  startAgain,
  heartbeatTimeout,
  leaderTimeout,
  clientTimeout,
  writeRepeated,
  brokerUp,
};

export function completeEngine(): void {
  addLateParts({
    handlers,
    sinks: { naive, twoPhaseCommit, file, writeAheadLog, tableWriter, tableCommitter, globalCommitter },
    pooledIds: { storeOwnership, pooledName, freeOffset, abortListed },
    alternating: alternatingHandler,
    tracker: { onBarrier, onCancelMarker, channelEnded, triggerOpenChannels },
    holds,
    leaveOut,
    matching,
    serve,
    drawnCut: { watch: watchCut, isBehind: isBehindCut },
    follow,
  });
}
