/**
 * The job that runs, started again with another configuration: the operation that stops it, if it still runs, and submits it
 * anew from what it left (`restore` with `stop`).
 */
import type { Result } from "../../base/result.ts";
import { isSavepoint } from "../../projection/shelf.ts";

import type { Scalar } from "../../scenario/option-values.ts";
import { findOption, standardOf } from "../../scenario/options.ts";
import { readJson } from "../../scenario/parse.ts";
import type { Command } from "../../scenario/scenario.ts";
import { submissionCommand } from "../../scenario/written-submission.ts";
import type { Session } from "../store.ts";
import { SAVEPOINTS } from "../submission-items.ts";
import { submittedBy } from "../submitted-by.ts";
import { type Moment, isOver } from "../use-view.ts";
import type { Draft } from "./draft.ts";
import { isKafka, kafkaChange } from "./kafka.ts";

export interface Way {
  readonly name: "savepoint" | "checkpoint" | "latest" | "none";
  /** `null`: it can be done; else why not. */
  readonly why: "running" | "over" | "nothing" | "notRetained" | null;
}

/** In the order in which one would rather do it. */
export function waysOf({ view, shelf, scenario }: Pick<Moment, "view" | "shelf" | "scenario">): readonly Way[] {
  const over = isOver(view);
  const { retention } = scenario.config.checkpointing;
  const there = shelf.some(({ deletedAt, damage }) => deletedAt < 0 && damage !== "all");
  const checkpoint = shelf.some((entry) => entry.deletedAt < 0 && entry.damage !== "all" && !isSavepoint(entry));
  const kept = retention === "RETAIN_ON_CANCELLATION";
  if (over)
    return [
      { name: "latest", why: there ? null : "nothing" },
      { name: "none", why: null },
    ];
  return [
    { name: "savepoint", why: view.job.status === "RUNNING" ? null : "running" },
    { name: "checkpoint", why: !kept ? "notRetained" : checkpoint ? null : "nothing" },
    { name: "none", why: null },
  ];
}

/** The operation, read as a scenario file's would be; what is not of the job's configuration makes it fail. */
export function fromHere(
  session: Session,
  moment: Moment,
  { name }: Way,
  draft: Draft,
  changes: readonly string[],
): Result<Command> {
  const config: { [key: string]: Scalar } = {};
  for (const key of changes.filter((each) => !isKafka(each))) {
    const value = draft[key] ?? standard(key, moment);
    if (value === null) return { ok: false, problems: [] };
    config[key] = value;
  }
  const job = kafkaChange(session.scenario, changes, draft);
  const document = readJson(session.text);
  const earlier = submittedBy(moment.log, moment.step, session.commands);
  const operation = {
    savepoint: { from: "savepoint", stop: "with-savepoint", path: SAVEPOINTS },
    checkpoint: { from: "checkpoint", stop: "cancel" },
    latest: { from: latest(moment) },
    none: { from: "none", stop: "cancel" },
  }[name];
  return submissionCommand(document.ok ? document.value : null, earlier, {
    do: "restore",
    ...operation,
    ...(Object.keys(config).length > 0 && { config }),
    ...(job !== null && { job }),
  });
}

/** A key that is taken out has its default again; an operation can only say that. `null`: it has none. */
function standard(key: string, { scenario: { flink } }: Moment): string | null {
  const option = findOption(key);
  return option === undefined ? null : standardOf(option, flink);
}

function latest({ shelf }: Moment): string {
  return shelf.findLast(({ deletedAt, damage }) => deletedAt < 0 && damage !== "all")?.path ?? "none";
}
