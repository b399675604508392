/** Jobs of all kinds, drawn at random, for what is told of checkpoints and failures. */
import { Draw, randomCommand, randomSource } from "./random-jobs.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";

type Json = Record<string, unknown>;

/** A job with two failures somewhere, all drawn from a number. */
export function randomScenario(number: number): Scenario {
  const draw = new Draw(number);
  const source = randomSource(draw) as Json;
  if (draw.upTo(3) > 0) Object.assign(source["config"] as Json, inFlightOptions(draw));
  const parsed = scenarioFrom(source);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const graph = executionGraph(parsed.value);
  const faults = Array.from({ length: 2 }, () => ({
    ...randomCommand(draw, graph),
    at: { kind: "time" as const, time: 100 + draw.upTo(2500) },
  }));
  return { ...parsed.value, faults };
}

/** How barriers and snapshots are made, so that sizes and data in flight differ. */
function inFlightOptions(draw: Draw): Json {
  return {
    ...(draw.upTo(2) === 0 && { "state.backend.type": "rocksdb", "execution.checkpointing.incremental": true }),
    ...(draw.upTo(2) === 0 && {
      "execution.checkpointing.mode": "EXACTLY_ONCE",
      "execution.checkpointing.max-concurrent-checkpoints": 1,
      "execution.checkpointing.unaligned.enabled": true,
      "execution.checkpointing.aligned-checkpoint-timeout": ["0 ms", "20 ms"][draw.upTo(1)],
    }),
  };
}
