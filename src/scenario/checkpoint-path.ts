/** Where the checkpoints of a run's jobs lie (`AbstractFsCheckpointStorageAccess`; CP-112). */
import type { Command, StateStorage } from "./scenario.ts";

/**
 * By job of a run: the number that stands for its id. Jobs are counted, and one that takes over an id has it. `commands`: by
 * job what submitted it; the first was not submitted by a command.
 */
export function jobIds(commands: readonly (Pick<Command, "jobId"> | undefined)[]): number[] {
  let id = 0;
  return commands.map((command, submission) => {
    if (submission > 0 && command?.jobId !== "same") id = submission;
    return id;
  });
}

/** The directory of a job's checkpoints. */
export function checkpointDirectory(
  { dir, createSubdir }: Pick<StateStorage, "dir" | "createSubdir">,
  jobId: number,
): string {
  const id = String(jobId).padStart(32, "0");
  return `${(dir ?? "").replace(/\/$/, "")}${createSubdir ? `/${id}` : ""}`;
}
