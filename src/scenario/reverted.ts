/**
 * A scenario as it was written, with one of Flink's options, or of Kafka's producer, at its default again. Options of a
 * restart strategy go together: without its type they mean nothing.
 */
import { type ScenarioSource, list, record, spellingsOf } from "./comparison.ts";

/** `option` as explanations name it; `null`: it stands at its default, so that nothing would change. */
export function reverted(source: unknown, option: string): ScenarioSource | null {
  const given = record(source);
  if (option === "transaction.timeout.ms") return withoutProperty(given, option);
  const isStrategy = option.startsWith("restart-strategy");
  const isIt = (key: string): boolean =>
    isStrategy ? key.startsWith("restart-strategy") : spellingsOf(option).includes(key);
  const config = without(record(given["config"]), isIt);
  // The model's own word for when a heartbeat is missed goes before Flink's.
  const timing = without(
    record(given["timing"]),
    (key) => option === "heartbeat.timeout" && key === "heartbeat.detect",
  );
  if (config === null && timing === null) return null;
  return { ...given, ...(config !== null && { config }), ...(timing !== null && { timing }) };
}

/** `null`: there was nothing to take out. */
function without(given: ScenarioSource, isOut: (key: string) => boolean): ScenarioSource | null {
  const kept = Object.entries(given).filter(([key]) => !isOut(key));
  return kept.length === Object.keys(given).length ? null : Object.fromEntries(kept);
}

function withoutProperty(given: ScenarioSource, property: string): ScenarioSource | null {
  const job = record(given["job"]);
  const before = list(job["vertices"]);
  const vertices = before.map((vertex) => {
    const properties = without(record(record(vertex)["properties"]), (key) => key === property);
    return properties === null ? vertex : { ...record(vertex), properties };
  });
  const changes = vertices.some((vertex, place) => vertex !== before[place]);
  return changes ? { ...given, job: { ...job, vertices } } : null;
}
