/** What earlier jobs of the run have left in storage: savepoints, and checkpoints that were retained (CP-160, CP-168). */
import { type StoredSnapshot, isSavepoint, ownerOf } from "../../projection/shelf.ts";
import type { RunView } from "../../projection/views.ts";
import type { EarlierFrame } from "./frame-types.ts";

/** Without the one that this job was started from, as long as it stands among its own. */
export function earlierOf({ shared, checkpoints }: RunView, shelf: readonly StoredSnapshot[]): EarlierFrame[] {
  const { submission, origin } = shared;
  const own = checkpoints.some(({ id, state }) => id === origin?.checkpoint && state === "COMPLETED") ? origin : null;
  return shelf
    .filter(
      (entry) =>
        entry.deletedAt < 0 &&
        entry.submission < submission &&
        (entry.submission !== own?.submission || entry.checkpoint !== own.checkpoint),
    )
    .map((entry) => {
      const owner = ownerOf(entry);
      return {
        checkpoint: entry.checkpoint,
        savepoint: isSavepoint(entry),
        job: entry.submission + 1,
        owner: owner === "user" ? owner : owner + 1,
      };
    })
    .toReversed();
}
