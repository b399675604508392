/** `savepoint 2`, `chk-3`: a snapshot as its directory and Flink's messages call it. */
import { type StoredSnapshot, isSavepoint } from "../projection/shelf.ts";

export function snapshotName(snapshot: Pick<StoredSnapshot, "kind" | "checkpoint">): string {
  return isSavepoint(snapshot) ? `savepoint ${snapshot.checkpoint}` : `chk-${snapshot.checkpoint}`;
}
