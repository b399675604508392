/** The whole engine, the parts that few runs need with it. */
import { addLateParts } from "./late-parts.ts";
import * as database from "./sinks/database.ts";
import { file } from "./sinks/file-sink.ts";
import { naive } from "./sinks/naive.ts";
import { twoPhaseCommit } from "./sinks/two-phase-commit.ts";
import { sendBatch, sendValues, writeAheadLog } from "./sinks/write-ahead-log.ts";
import { submitJob } from "./submission.ts";
import { leaveOut } from "./suppress.ts";

export function completeEngine(): void {
  addLateParts({
    handlers: { submitJob, databaseCommit: database.commit, sendBatch, sendValues },
    leaveOut,
    sinks: { naive, twoPhaseCommit, file, writeAheadLog },
  });
}
