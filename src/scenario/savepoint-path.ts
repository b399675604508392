/** Where a savepoint lies (`AbstractFsCheckpointStorageAccess.initializeLocationForSavepoint`; CP-162). */
import { finish, mix } from "../base/hash.ts";
import type { Command, Scenario } from "./scenario.ts";

/** The first six digits of the one job's id. */
const SHORT_JOB = "0".repeat(6);

/** The directory that savepoints of this request are made in; `null`: none is named or configured, so it fails. */
export function savepointDirectory({ config }: Scenario, { path }: Pick<Command, "path">): string | null {
  const directory = path ?? config.state.savepointDir;
  return directory === null ? null : directory.replace(/\/$/, "");
}

/** `<directory>/savepoint-<short job id>-<random>`; the random part comes from the run's seed, the job and the savepoint's number. */
export function savepointPath(
  directory: string,
  { seed }: Pick<Scenario, "seed">,
  checkpoint: number,
  submission = 0,
): string {
  const digits = (salt: number, count: number): string => {
    const drawn = finish(mix(mix(seed, checkpoint + 65_536 * submission), salt)) >>> 0;
    return drawn.toString(16).padStart(8, "0").slice(-count);
  };
  return `${directory}/savepoint-${SHORT_JOB}-${digits(1, 8)}${digits(2, 4)}`;
}
