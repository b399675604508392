/** What the stage and its peers draw in the bench: one job of 2,000 subtasks, and a small one with 200 channels. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { initialView } from "../../projection/fold.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { createFollower } from "../machines/follower.ts";
import { frameAt } from "./frame.ts";
import type { Scene, Token } from "./frame-types.ts";
import { stageLayout } from "./layout.ts";
import type { Size } from "./layout-types.ts";
import { EventLog } from "../../protocol/log.ts";

export interface Job {
  readonly scenario: Scenario;
  readonly graph: ExecutionGraph;
}

/** A line of vertices, each of so many subtasks; `hash` of its exchanges are all-to-all, the others one-to-one. */
export function lineOf(vertices: number, parallelism: number, hash: number): Job {
  const uid = (index: number): string => `v${index}`;
  const type = (index: number): object =>
    index === 0
      ? { type: "kafka-source", topic: "in" }
      : index === vertices - 1
        ? { type: "kafka-sink", topic: "out", delivery: "at-least-once" }
        : index <= hash
          ? { type: "keyed-sum" }
          : { type: "map" };
  const parsed = scenarioFrom({
    format: 1,
    id: "bench",
    flink: "2.2",
    title: { en: "Bench" },
    job: {
      vertices: Array.from({ length: vertices }, (_, index) => ({
        uid: uid(index),
        parallelism,
        chain: false,
        ...type(index),
      })),
      edges: Array.from({ length: vertices - 1 }, (_, index) => ({
        from: uid(index),
        to: uid(index + 1),
        ship: index < hash ? "hash" : "forward",
      })),
    },
    cluster: { taskManagers: 4, slots: Math.ceil(parallelism / 4) },
    topics: { in: { partitions: 4, records: 4, every: "1 s", keys: 4 }, out: { partitions: 4 } },
  });
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return { scenario: parsed.value, graph: executionGraph(parsed.value) };
}

/** The first scene of a run of the job: nothing has happened. */
export async function firstScene({ scenario, graph }: Job, room: Size): Promise<Scene> {
  const view = initialView(scenario, graph);
  const layout = await stageLayout(graph, room);
  return frameAt(view, createFollower().follow(new EventLog(), view), 0, layout).scene;
}

/** So many records that run through all channels and bundles, each for `PERIOD` of simulated milliseconds. */
export const PERIOD = 1000;

export function movers(scene: Scene, count: number): Token[] {
  const { channels, edges } = scene.layout;
  const places = [...channels, ...edges.map(({ bundle }) => bundle)];
  const paths = places.flatMap((place) => (place === null ? [] : [place.path]));
  return Array.from({ length: count }, (_, index): Token => {
    const path = at(paths, index % paths.length);
    const departure = -((index * 37) % PERIOD);
    return {
      kind: "record",
      path,
      from: 0,
      to: path.length,
      departure,
      arrival: departure + 1_000_000,
      waits: true,
      mark: index % 4,
      letter: "",
      pass: 1,
      falls: null,
      captured: null,
      restored: false,
      overtakes: false,
    };
  });
}

/** Where a mover is on its way at a time: it begins anew when it has arrived. */
export function turn(token: Token, clock: number): Token {
  const gone = (((clock - token.departure) % PERIOD) + PERIOD) % PERIOD;
  return { ...token, departure: clock - gone, arrival: clock - gone + PERIOD };
}
