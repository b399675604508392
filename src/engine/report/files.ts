/** The report's `files`: what is in checkpoint storage at the end, by path (CP-112, CP-162). */
import { at } from "../../base/assert.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FileRow } from "../../scenario/report.ts";
import { checkpointDirectory, jobIds } from "../../scenario/checkpoint-path.ts";
import { savepointDirectory, savepointPath } from "../../scenario/savepoint-path.ts";
import type { Command } from "../../scenario/scenario.ts";
import { type Handlers, type Span, field, foldLog } from "./entries.ts";

/** By submission: where its checkpoints are. */
export function checkpointDirs(log: EventLog, spans: readonly Span[], commands: readonly Command[]): string[] {
  const ids = jobIds(
    spans.map(({ from, submission }) =>
      submission === 0 ? undefined : commands[field(log, from, "JobSubmitted", "fault")],
    ),
  );
  return spans.map(({ scenario, submission }) => checkpointDirectory(scenario.config.state, at(ids, submission)));
}

export function fileRows(log: EventLog, spans: readonly Span[], commands: readonly Command[]): FileRow[] {
  const files = new Map<number, FileRow>();
  const dirs = checkpointDirs(log, spans, commands);
  for (const span of spans) {
    const base = at(dirs, span.submission);
    const savepoints = savepointPaths(log, span, commands);
    const handlers: Handlers = {
      CheckpointFileWritten: (step) => {
        const number = (name: "subtask" | "checkpoint" | "file" | "bytes" | "shared"): number =>
          field(log, step, "CheckpointFileWritten", name);
        const [subtask, file] = [number("subtask"), number("file")];
        const name = subtask < 0 ? "_metadata" : `${at(span.graph.subtasks, subtask).name}-${file}`;
        const own = savepoints.get(number("checkpoint")) ?? `${base}/chk-${number("checkpoint")}`;
        const folder = number("shared") === 1 ? `${base}/shared` : own;
        files.set(file, { path: `${folder}/${name}`, bytes: number("bytes") });
      },
      CheckpointFileDeleted: (step) => void files.delete(field(log, step, "CheckpointFileDeleted", "file")),
    };
    foldLog(log, handlers, span);
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** By number: where a job's savepoints are (CP-162). */
export function savepointPaths(log: EventLog, span: Span, commands: readonly Command[]): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  const note = (step: number): void => {
    const command = at(commands, field(log, step, "SavepointLocationInitialized", "fault"));
    const directory = savepointDirectory(span.scenario, command) ?? "";
    const checkpoint = field(log, step, "SavepointLocationInitialized", "checkpoint");
    paths.set(checkpoint, savepointPath(directory, span.scenario, checkpoint, span.submission));
  };
  foldLog(log, { SavepointLocationInitialized: note }, span);
  return paths;
}
