/** Which release of Kafka's connector goes with a version of Flink. */
import type { Scenario } from "./scenario.ts";

/** Kafka's connector before 4.0, which is for Flink 2.0 and later. */
export function hasOldConnector({ flink }: Pick<Scenario, "flink">): boolean {
  return flink === "1.18" || flink === "1.20";
}
