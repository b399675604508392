/** What a person asks for in the dry run: read as a scenario file would be, and looked at before it is done. */
import type { Problem } from "../../base/result.ts";
import { type RestorePreview, restorePreview } from "../../projection/restore-preview.ts";
import { type StoredSnapshot, isSavepoint } from "../../projection/shelf.ts";
import type { ClaimMode } from "../../protocol/reasons.ts";
import type { CommandText } from "../../scenario/command-text.ts";
import { readJson } from "../../scenario/parse.ts";
import type { Command } from "../../scenario/scenario.ts";
import { type JobChange, jobAsWritten, jobText, submissionCommand } from "../../scenario/written-submission.ts";
import type { Session } from "../store.ts";
import { submittedBy } from "../submitted-by.ts";
import { type Moment, storageIsDown } from "../use-view.ts";

export interface Order {
  /** Of a job that runs: it is stopped with a savepoint first, and only this chain changes. */
  readonly rescale: { readonly uid: string; readonly path: string } | null;
  /** The number of a metadata file; `null`: no state. */
  readonly snapshot: number | null;
  readonly claimMode: ClaimMode;
  readonly allow: boolean;
  readonly change: JobChange;
}

/** Either what is wrong with the order, or what is to be done and what would become of it. */
export type DryRun =
  | { readonly command: null; readonly problems: readonly Problem[] }
  | { readonly command: Command; readonly preview: RestorePreview };

const NO_CHANGE: JobChange = { uids: {}, parallelism: {}, maxParallelism: null };

/** What is asked for at first: the newest snapshot of the kind, or the one with that path. */
export function firstOrder({ shelf, view }: Moment, asked: Command): Order {
  const { do: verb, from = "none", target, parallelism, path = "", claimMode, allowNonRestoredState } = asked;
  const chain = verb === "rescale" ? chainOf(view.shared.graph, target ?? "") : [];
  const there = shelf.filter(({ deletedAt }) => deletedAt < 0);
  const found =
    from === "savepoint" || from === "checkpoint"
      ? there.findLast((entry) => isSavepoint(entry) === (from === "savepoint"))
      : shelf.findLast((entry) => entry.path === from);
  return {
    rescale: verb === "rescale" && target !== null ? { uid: target, path } : null,
    snapshot: found?.file ?? null,
    claimMode: claimMode ?? "NO_CLAIM",
    allow: allowNonRestoredState === true,
    change: { ...NO_CHANGE, parallelism: Object.fromEntries(chain.map((uid) => [uid, parallelism ?? 1])) },
  };
}

/** The uids of the operators that are chained with one: a chain has one parallelism. */
export function chainOf({ operators, vertices }: Moment["graph"], uid: string): string[] {
  const found = operators.find(({ vertex }) => vertex.uid === uid);
  const members = found === undefined ? [] : (vertices[found.taskVertex]?.operators ?? []);
  return members.flatMap((operator) => operators[operator]?.vertex.uid ?? []);
}

export function snapshotIn({ shelf }: Moment, { snapshot }: Order): StoredSnapshot | null {
  return shelf.find(({ file }) => file === snapshot) ?? null;
}

export function dryRun(session: Session, moment: Moment, order: Order): DryRun {
  const document = readJson(session.text);
  const source = document.ok ? document.value : null;
  const earlier = submittedBy(moment.log, moment.step, session.commands);
  const read = submissionCommand(
    source,
    earlier,
    textOf(order, snapshotIn(moment, order), jobAsWritten(source, earlier)),
  );
  if (!read.ok) return { command: null, problems: read.problems };
  const command = read.value;
  const from = order.rescale === null ? snapshotIn(moment, order) : "now";
  const preview = restorePreview(moment.view, from, { ...command, storageIsDown: storageIsDown(moment.view) });
  return { command, preview };
}

function textOf(
  { rescale, claimMode, allow, change }: Order,
  snapshot: StoredSnapshot | null,
  job: { readonly [key: string]: unknown },
): CommandText {
  if (rescale !== null) {
    const { uid: vertex, path } = rescale;
    return { do: "rescale", vertex, parallelism: change.parallelism[vertex] ?? 1, path };
  }
  const changed = jobText(job, change);
  return {
    do: "restore",
    from: snapshot?.path ?? "none",
    jobId: "fresh",
    claimMode,
    allowNonRestoredState: allow,
    ...(changed !== null && { job: changed }),
  };
}
