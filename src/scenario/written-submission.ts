/**
 * A job that is submitted anew, as a person asks for it: what changes of the one that runs is written as a scenario file
 * writes it and read like one, so that what is refused there is refused here, with the same words.
 */
import type { Result } from "../base/result.ts";
import { type CommandText, commandText } from "./command-text.ts";
import { scenarioFrom } from "./parse.ts";
import { merged } from "./resubmission.ts";
import type { Command } from "./scenario.ts";

type Json = { readonly [key: string]: unknown };

/** What changes of a job; by the uids that it has now. */
export interface JobChange {
  readonly uids: { readonly [uid: string]: string };
  readonly parallelism: { readonly [uid: string]: number };
  /** `null`: as it is. */
  readonly maxParallelism: number | null;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The job that the last of these operations submitted, as it would be written; without any, the document's own. */
export function jobAsWritten(document: unknown, earlier: readonly Command[]): Json {
  const first = isObject(document) && isObject(document["job"]) ? document["job"] : {};
  return earlier.reduce((job, { do: verb, change, submission }) => {
    const widths = submission?.job.vertices.map(({ uid, parallelism }) => ({ uid, parallelism }));
    const told: unknown = verb === "rescale" ? { vertices: widths } : change?.job;
    return merged(job, isObject(told) ? told : {});
  }, first);
}

/** The change as an operation writes it; `null`: nothing changes. With another uid the whole job is written. */
export function jobText(job: Json, { uids, parallelism, maxParallelism }: JobChange): Json | null {
  const maximum = maxParallelism === null ? {} : { maxParallelism };
  const renamed = (uid: unknown): unknown => uids[String(uid)] ?? uid;
  if (Object.entries(uids).some(([uid, name]) => uid !== name))
    return {
      ...job,
      ...maximum,
      vertices: objects(job["vertices"]).map((vertex) => ({
        ...vertex,
        // Its default is the uid, and transactions are not to get other names by the way.
        ...(vertex["type"] === "kafka-sink" && {
          transactionalIdPrefix: vertex["transactionalIdPrefix"] ?? vertex["uid"],
        }),
        ...(String(vertex["uid"]) in parallelism && { parallelism: parallelism[String(vertex["uid"])] }),
        uid: renamed(vertex["uid"]),
      })),
      edges: objects(job["edges"]).map((edge) => ({ ...edge, from: renamed(edge["from"]), to: renamed(edge["to"]) })),
    };
  const vertices = Object.entries(parallelism).map(([uid, width]) => ({ uid, parallelism: width }));
  if (vertices.length === 0 && maxParallelism === null) return null;
  return { ...maximum, ...(vertices.length > 0 && { vertices }) };
}

/** Reads an operation that submits a job behind `earlier` ones, which have submitted those before it. */
export function submissionCommand(
  document: unknown,
  earlier: readonly Command[],
  operation: CommandText,
): Result<Command> {
  const at = { step: 0 };
  const faults = [...earlier.map((command) => ({ at, ...commandText(command) })), { at, ...operation }];
  const read = scenarioFrom({ ...(isObject(document) ? document : {}), faults });
  if (!read.ok) return read;
  const last = read.value.faults.at(-1);
  if (last === undefined) return { ok: false, problems: [] };
  const { at: _, ...command } = last;
  return { ok: true, value: command };
}
