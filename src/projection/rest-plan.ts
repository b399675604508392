/** The job's plan as Flink's REST API reports it (`JsonPlanGenerator`; CP-220). */
import { at } from "../base/assert.ts";
import { murmur3 } from "../base/murmur3.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { JOB_ID } from "./rest-config.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A task's id is that of the operator at its head, which Flink makes of the operator's uid (`StreamGraphHasherV2`). */
export function vertexId({ vertices }: ExecutionGraph, vertex: number): string {
  return murmur3(utf8(at(vertices, vertex).uid));
}

function utf8(text: string): Uint8Array {
  const bytes = encodeURIComponent(text).match(/%..|./g) ?? [];
  return Uint8Array.from(bytes, (byte) =>
    byte.length === 1 ? byte.charCodeAt(0) : Number.parseInt(byte.slice(1), 16),
  );
}

/** Names and descriptions of the operators' properties are empty for a streaming job. */
export function jobPlan({ job }: Scenario, graph: ExecutionGraph): Json {
  return {
    plan: {
      jid: JOB_ID,
      name: job.name,
      type: "STREAMING",
      nodes: graph.vertices.map(({ index, name, parallelism }) => {
        const inputs = graph.edges.filter(({ to }) => to === index);
        return {
          id: vertexId(graph, index),
          parallelism,
          operator: "",
          operator_strategy: "",
          description: name,
          ...(inputs.length > 0 && {
            inputs: inputs.map(({ from, ship, exchange }, num) => ({
              num,
              id: vertexId(graph, from),
              ship_strategy: ship.toUpperCase(),
              exchange: exchange.toLowerCase(),
            })),
          }),
          optimizer_properties: {},
        };
      }),
    },
  };
}
