/**
 * Records that fail whoever processes them (the contract's `poison-record`; FI-56), each time anew: in one operator, or in
 * the first that they reach behind their source.
 */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { recordNumber } from "../protocol/ids.ts";
import { commitErrors, snapshotParts } from "../protocol/reasons.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Armed } from "./layout.ts";
import type { World } from "./world.ts";

/** In `Armed.part`, behind what snapshots, commits and writes use; `Armed.task` is the operator, `Armed.checkpoint` the record. */
const POISON = snapshotParts.length + 2 * commitErrors.length;
const ANY = -1;

export function poison(k: Kernel, { target, record }: Command): void {
  const { operators } = k.plan.graph;
  const operator = target === null ? ANY : operators.findIndex(({ vertex }) => vertex.uid === target);
  k.world.armed.push(POISON, operator, recordNumber(k.plan.graph, record ?? ""));
}

/** Does this record throw in this operator? */
export function isPoisoned({ world: { armed } }: Kernel, operator: number, record: number): boolean {
  for (let row = 0; row < armed.count; row++) {
    if (armed.get(row, Armed.part) !== POISON || armed.get(row, Armed.checkpoint) !== record) continue;
    const where = armed.get(row, Armed.task);
    if (where === ANY || where === operator) return true;
  }
  return false;
}

/** A record is as it is, whichever job reads it: what was poisonous in an operator is so in the one of its uid. */
export function carryPoison(before: World, old: ExecutionGraph, world: World, graph: ExecutionGraph): void {
  for (let row = 0; row < before.armed.count; row++) {
    if (before.armed.get(row, Armed.part) !== POISON) continue;
    const uid = old.operators[before.armed.get(row, Armed.task)]?.vertex.uid;
    const operator = uid === undefined ? ANY : graph.operators.findIndex(({ vertex }) => vertex.uid === uid);
    if (uid === undefined || operator >= 0) world.armed.push(POISON, operator, before.armed.get(row, Armed.checkpoint));
  }
}
