/** The whole engine, the parts that few runs need with it. */
import {
  abortTracked,
  channelEnded,
  onBarrier,
  onCancelMarker,
  trackedAligned,
  triggerOpenChannels,
} from "./barrier-tracker.ts";
import { committableDone, sendCommittable, takeCommittable } from "./committables.ts";
import { addLateParts } from "./late-parts.ts";
import { writeBackground } from "./log-broker/background.ts";
import * as database from "./sinks/database.ts";
import { file } from "./sinks/file-sink.ts";
import { follow } from "./schedules.ts";
import { forwardBatch, globalCommitter } from "./sinks/global-committer.ts";
import { naive } from "./sinks/naive.ts";
import { commitFiles, dropFiles, tableCommit, tableCommitter } from "./sinks/table-committer.ts";
import { tableWriter } from "./sinks/table-writer.ts";
import { twoPhaseCommit } from "./sinks/two-phase-commit.ts";
import { sendBatch, sendValues, writeAheadLog } from "./sinks/write-ahead-log.ts";
import { submitJob } from "./submission.ts";

export function completeEngine(): void {
  addLateParts({
    handlers: {
      submitJob,
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
      trackedAligned,
      abortTracked,
    },
    sinks: { naive, twoPhaseCommit, file, writeAheadLog, tableWriter, tableCommitter, globalCommitter },
    tracker: { onBarrier, onCancelMarker, channelEnded, triggerOpenChannels },
    follow,
  });
}
