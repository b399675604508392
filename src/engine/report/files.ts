/** The report's `files`: what is in checkpoint storage at the end, by path (CP-112). */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FileRow } from "../../scenario/report.ts";
import type { StateStorage } from "../../scenario/scenario.ts";
import { field, foldLog } from "./entries.ts";

/** The id of the one job that there is, as a directory. */
const JOB = "0".repeat(32);

export function fileRows(graph: ExecutionGraph, log: EventLog, { dir, createSubdir }: StateStorage): FileRow[] {
  const files = new Map<number, FileRow>();
  const base = `${(dir ?? "").replace(/\/$/, "")}${createSubdir ? `/${JOB}` : ""}`;
  foldLog(log, {
    CheckpointFileWritten: (step) => {
      const number = (name: "subtask" | "checkpoint" | "file" | "bytes" | "shared"): number =>
        field(log, step, "CheckpointFileWritten", name);
      const [subtask, file] = [number("subtask"), number("file")];
      const name = subtask < 0 ? "_metadata" : `${at(graph.subtasks, subtask).name}-${file}`;
      const folder = number("shared") === 1 ? "shared" : `chk-${number("checkpoint")}`;
      files.set(file, { path: `${base}/${folder}/${name}`, bytes: number("bytes") });
    },
    CheckpointFileDeleted: (step) => void files.delete(field(log, step, "CheckpointFileDeleted", "file")),
  });
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
