/** More for the sources: the same scenario with as much input again, and all that was decided so far. */
import { faultText } from "../../scenario/exploration.ts";
import { parseScenario } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { decisionsOf } from "../link.ts";
import { prettyJson } from "../pretty-json.ts";
import type { Session } from "../store.ts";
import type { BranchId } from "../../worker/port.ts";

interface Topic {
  readonly records?: number | "unbounded";
  readonly values?: readonly unknown[];
  /** How many, or what each is given. */
  readonly partitions?: number | readonly Topic[];
}

interface Written {
  readonly topics?: { readonly [name: string]: Topic };
  readonly until?: unknown;
  readonly faults?: readonly unknown[];
}

export interface MoreInput {
  readonly scenario: Scenario;
  readonly text: string;
}

/** `null`: no topic has an input that is written and ends, or the run does not last as long as its input. */
export function moreInput(session: Session, branch: BranchId): MoreInput | null {
  const document = JSON.parse(session.text) as Written;
  const given = Object.entries(document.topics ?? {});
  if (session.scenario.until.kind !== "drained" || !given.some(([, topic]) => canGrow(topic))) return null;
  const topics = Object.fromEntries(given.map(([name, topic]) => [name, grown(topic)]));
  const decided = decisionsOf(session, branch).map(faultText);
  const text = prettyJson({ ...document, topics, faults: [...(document.faults ?? []), ...decided] });
  const parsed = parseScenario(text);
  return parsed.ok ? { scenario: parsed.value, text } : null;
}

function canGrow({ records, values, partitions }: Topic): boolean {
  if (typeof partitions === "object" && partitions.some(canGrow)) return true;
  return values !== undefined ? values.length > 0 : typeof records === "number" && records > 0;
}

function grown(topic: Topic): Topic {
  if (!canGrow(topic)) return topic;
  if (typeof topic.partitions === "object") return { ...topic, partitions: topic.partitions.map(grown) };
  return topic.values === undefined
    ? { ...topic, records: Number(topic.records) * 2 }
    : { ...topic, values: [...topic.values, ...topic.values] };
}
