/** The report's `files`: what is in checkpoint storage at the end, by path (CP-112, CP-162). */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FileRow } from "../../scenario/report.ts";
import { savepointDirectory, savepointPath } from "../../scenario/savepoint-path.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { field, foldLog } from "./entries.ts";

/** The id of the one job that there is, as a directory. */
const JOB = "0".repeat(32);

export function fileRows(
  scenario: Scenario,
  graph: ExecutionGraph,
  log: EventLog,
  commands: readonly Command[],
): FileRow[] {
  const { dir, createSubdir } = scenario.config.state;
  const files = new Map<number, FileRow>();
  const savepoints = new Map<number, string>();
  const base = `${(dir ?? "").replace(/\/$/, "")}${createSubdir ? `/${JOB}` : ""}`;
  foldLog(log, {
    SavepointLocationInitialized: (step) => {
      const directory = savepointDirectory(
        scenario,
        at(commands, field(log, step, "SavepointLocationInitialized", "fault")),
      );
      const checkpoint = field(log, step, "SavepointLocationInitialized", "checkpoint");
      savepoints.set(checkpoint, savepointPath(directory ?? "", scenario, checkpoint));
    },
    CheckpointFileWritten: (step) => {
      const number = (name: "subtask" | "checkpoint" | "file" | "bytes" | "shared"): number =>
        field(log, step, "CheckpointFileWritten", name);
      const [subtask, file] = [number("subtask"), number("file")];
      const name = subtask < 0 ? "_metadata" : `${at(graph.subtasks, subtask).name}-${file}`;
      const own = savepoints.get(number("checkpoint")) ?? `${base}/chk-${number("checkpoint")}`;
      const folder = number("shared") === 1 ? `${base}/shared` : own;
      files.set(file, { path: `${folder}/${name}`, bytes: number("bytes") });
    },
    CheckpointFileDeleted: (step) => void files.delete(field(log, step, "CheckpointFileDeleted", "file")),
  });
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
