/** What a scenario gives its job to read, told from the file alone: nothing here is the engine's. */
import { type Recording, scenarioSource } from "./recording.ts";

/** Topics of the sources that a vertex is fed by. */
export function topicsInto(id: string, uid: string): string[] {
  const { job } = scenarioSource(id);
  const above = job.edges.filter(({ to }) => to === uid).flatMap(({ from }) => topicsInto(id, from));
  const own = job.vertices.find((each) => each.uid === uid);
  return own?.type === "kafka-source" && own.topic !== undefined ? [own.topic] : [...new Set(above)];
}

/** Ids of the records of these topics: dealt over the partitions in turn. */
export function inputOf(id: string, topics: readonly string[]): string[] {
  const { topics: all } = scenarioSource(id);
  return topics.flatMap((topic) => {
    const { partitions, records, values } = all[topic] ?? { partitions: 1 };
    const total = values?.length ?? records ?? 0;
    return Array.from(
      { length: total },
      (_, index) => `${topic}-${index % partitions}@${Math.floor(index / partitions)}`,
    );
  });
}

/** Whether a run ends at a time, whatever is still to be done. */
export function endsByTime(id: string): boolean {
  return typeof scenarioSource(id)["until"] === "object";
}

/** Whether a source was past a record at the end of the run. */
export function positionsOf({ events }: Recording): (record: string) => boolean {
  const positions = new Map<string, number>();
  for (const { type, partition = "", position = 0, record = "" } of events) {
    if (type === "SplitAdded") positions.set(partition, position);
    if (type === "RecordEmitted") positions.set(partitionOf(record), offsetOf(record) + 1);
  }
  return (record) => offsetOf(record) < (positions.get(partitionOf(record)) ?? 0);
}

export const partitionOf = (record: string): string => record.slice(0, record.indexOf("@"));
export const offsetOf = (record: string): number => Number(record.slice(record.indexOf("@") + 1));
