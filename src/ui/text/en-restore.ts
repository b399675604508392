/** The shelf, and what would become of a job that is started from what lies there. */
import type { Availability, Damage, StoredSnapshot } from "../../projection/shelf.ts";
import type { StateMove } from "../../projection/state-moves.ts";
import type { ClaimMode, RestoreRefusal } from "../../protocol/reasons.ts";
import type { OperatorFate } from "../../scenario/restore-check.ts";
import { refusals } from "./en-words.ts";
import { plural } from "./plural.ts";

const either = (statuses: readonly string[]): string => statuses.join(" or ");

function availableWords(availability: Availability, running: boolean, deletedAt: string): string {
  switch (availability.is) {
    case "ready":
      return running ? "Yes, once the job is over" : "Yes";
    case "damaged":
      return "No: its metadata cannot be read";
    case "deleted":
      return `No: deleted at ${deletedAt}`;
    case "held":
      return availability.keptAt.length === 0
        ? "No: the job's end deletes it"
        : `If the job ends ${either(availability.keptAt)}; FINISHED deletes it`;
  }
}

interface About {
  readonly path: string;
  readonly uid: string;
  /** Maximum parallelism of the state, of the new operator, and its parallelism. */
  readonly had: number;
  readonly maximum: number;
  readonly parallelism: number;
}

/**
 * Flink's own (`Checkpoints.loadAndValidateCheckpoint`, `StateAssignmentOperation`, `AbstractFsCheckpointStorageAccess`,
 * `VertexFinishedStateChecker`); `null`: it has no message of its own for that.
 */
const messages: { readonly [R in RestoreRefusal]: (about: About) => string | null } = {
  NO_SUCH_SNAPSHOT: ({ path }) => `Cannot find checkpoint or savepoint file/directory '${path}'.`,
  METADATA_NOT_READABLE: () => null,
  OPERATOR_MISSING: ({ path, uid }) =>
    `Failed to rollback to checkpoint/savepoint ${path}. Cannot map checkpoint/savepoint state for operator ${uid} to the new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the --allowNonRestoredState option on the CLI.`,
  MAX_PARALLELISM_CHANGED: ({ path, uid, had, maximum }) =>
    `Failed to rollback to checkpoint/savepoint ${path}. Max parallelism mismatch between checkpoint/savepoint state and new program. Cannot map operator ${uid} with max parallelism ${had} to new program with max parallelism ${maximum}. This indicates that the program has been changed in a non-compatible way after the checkpoint/savepoint.`,
  PARALLELISM_ABOVE_MAXIMUM: ({ uid, had, parallelism }) =>
    `The state for task ${uid} can not be restored. The maximum parallelism (${had}) of the restored state is lower than the configured parallelism (${parallelism}). Please reduce the parallelism of the task to be lower or equal to the maximum parallelism.`,
  CHANNEL_STATE_WITHOUT_CHANNEL: () => null,
  FINISHED_BEHIND_UNFINISHED: ({ uid }) =>
    `Illegal JobGraph modification. Cannot run a program with fully finished vertices predeceased with the ones not fully finished. Task vertex ${uid} has a predecessor not fully finished`,
};

/** What one can do about it. */
const hints: { readonly [R in RestoreRefusal]: string } = {
  NO_SUCH_SNAPSHOT: "Take another one.",
  METADATA_NOT_READABLE: "Take another one, or wait for the storage.",
  OPERATOR_MISSING: "Give the operator the uid it had, or allow non-restored state: then its state is dropped.",
  MAX_PARALLELISM_CHANGED: "The number of key groups is fixed by the snapshot: leave it as it was.",
  PARALLELISM_ABOVE_MAXIMUM: "A subtask has at least one key group: there cannot be more subtasks than key groups.",
  CHANNEL_STATE_WITHOUT_CHANNEL: "Use a savepoint, which is always aligned, or keep the exchange.",
  FINISHED_BEHIND_UNFINISHED: "Keep what the operator reads from as it was.",
};

export const enRestore = {
  title: "Start from a snapshot",
  rescale: (uid: string) => `Rescale ${uid}`,
  description: "A dry run: nothing happens before you say so.",
  rescaleFirst: (path: string) =>
    `The job is stopped with a savepoint, which goes to ${path}, and started from it with another parallelism. If the savepoint fails, the job runs on.`,
  cancel: "Cancel",
  go: "Restore",
  goNone: "Start",
  goRescale: "Stop and rescale",
  goRefused: "Submit it all the same",

  options: "What to start from, and how",
  snapshot: "Snapshot",
  noSnapshot: "None: every operator starts empty",
  snapshotOption: (entry: StoredSnapshot, name: string, time: string, deleted: boolean) =>
    `${name}, job ${entry.submission + 1}, ${time}${deleted ? ", deleted" : ""}`,
  claimMode: "Claim mode",
  claimModes: {
    NO_CLAIM: "It stays whose it is; the first checkpoint refers to nothing of it.",
    CLAIM: "It becomes the job's, which deletes it once it is subsumed.",
    LEGACY: "Nobody deletes it, but checkpoints may build on it (up to 1.20).",
  } satisfies { readonly [M in ClaimMode]: string },
  allow: "Allow non-restored state",
  allowNote: "State for which the job has no operator is dropped, instead of refused.",
  maxParallelism: "Max parallelism",
  derived: "derived",

  starts: "The job starts, and all state finds its operator.",
  startsEmpty: "The job starts without state.",
  startsWithout: (uids: readonly string[]) => `The job starts, but the state of ${uids.join(", ")} is dropped.`,
  waits: "All that is to be restored is found, but the job gets no further than that.",
  tooFewSlots: (needed: number, there: number) =>
    `It needs ${plural(needed, "slot", "slots")}, and there are ${there}: it waits for more, and fails if none come.`,
  refused: (uid: string, reason: RestoreRefusal) =>
    `Flink refuses: ${uid === "" ? "" : `${uid}: `}${refusals[reason]}.`,
  hint: (reason: RestoreRefusal) => hints[reason],
  /** As its log has it; Flink names an operator by its id, which here is the uid. */
  says: (reason: RestoreRefusal, about: About) => messages[reason](about),
  wrong: "This is no job:",

  operators: "Operators and their state",
  operator: "Operator (uid)",
  parallelism: "Parallelism",
  was: (parallelism: number) => `was ${parallelism}`,
  uidOf: (uid: string) => `uid of ${uid}`,
  parallelismOf: (uid: string) => `Parallelism of ${uid}`,
  state: "Its state",
  fates: {
    restored: "found",
    new: "starts empty",
    dropped: "dropped",
    gone: "had none",
    refused: "refused",
  } satisfies { readonly [F in OperatorFate]: string },
  inSnapshot: "only in the snapshot",

  offsets: "Where sources go on",
  partition: "Partition",
  offset: "From offset",
  atLeast: (offset: number) => `${offset} or later`,
  again: "Read again",
  records: (count: number) => (count === 0 ? "nothing" : plural(count, "record", "records")),
  inFlight: (count: number) => `${plural(count, "record", "records")} in flight go back into their channels.`,

  moves: "Where the state goes",
  movedGroups: (moved: number, all: number) =>
    moved === 0 ? "Every key group stays where it was." : `${moved} of ${all} key groups change their subtask.`,
  same: (uids: readonly string[]) => `${uids.join(", ")}: each subtask gets back what it had.`,
  keys: "keys",
  before: "before",
  after: "after",
  /** `what`: key groups, or a partition. */
  piece: (kind: StateMove["kind"], what: string | null, from: string) =>
    what === null ? `what ${from} held` : `${kind === "key-groups" ? "key groups " : ""}${what} from ${from}`,
  nothing: "nothing: it starts empty",
  more: (count: number) => `and ${plural(count, "more subtask", "more subtasks")}`,

  shelf: {
    caption: "Snapshots in storage, newest first",
    columns: {
      snapshot: "Snapshot",
      available: "Can a job start from it?",
      owner: "Owner",
      format: "Format",
      completed: "Completed",
      size: "Size",
      path: "Path",
    },
    job: (number: number) => `job ${number + 1}`,
    formats: { CANONICAL: "canonical", NATIVE: "native" },
    checkpointFormat: "checkpoint",
    owner: (owner: "user" | number) => (owner === "user" ? "You" : `Flink, for job ${owner + 1}`),
    claimed: "claimed",
    available: availableWords,
    damage: (damage: Damage) =>
      damage === "all" ? "damaged" : "some of its files are damaged: a task that reads them fails",
    start: "Start from it…",
    startOf: (name: string) => `Start from ${name}…`,
    empty: "Nothing lies in storage that a job could be started from. Take a savepoint from the JobManager's menu (S).",
    inMemory:
      "Checkpoints of this job are not here: without execution.checkpointing.dir they are in the JobManager's memory, and gone with it.",
    subsumed: "Checkpoints that a newer one took the place of are left out.",
  },
} as const;
