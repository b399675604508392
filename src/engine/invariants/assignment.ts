/**
 * State from one job to the next (CP-172 to CP-182, CP-089). Whatever the parallelism is now, each operator that the job
 * goes on with has in all its subtasks together what the snapshot holds of it: keyed state each key's at the subtask that
 * owns its key group (INV-040), records in flight on the exchange that they were on (INV-110), and list state every
 * element once, which is the position of each split, a counter, and what committers are to commit (INV-041).
 *
 * What a snapshot holds is noted when it completes and looked up again when a job starts from it, so that neither the shelf
 * nor the assignment can hide a defect of the other. Left out: union list state and broadcast state, which no operator here
 * has; state of an operator that the new job does not have, or has as another kind.
 */
import { at } from "../../base/assert.ts";
import { matchedEdges, matchedOperators } from "../../scenario/state-mapping.ts";
import type { Arena } from "../arena.ts";
import { handleOf } from "../checkpoint-plan.ts";
import type { Kernel } from "../kernel.ts";
import type { Plan } from "../plan.ts";
import { Rows } from "../rows.ts";
import { snapshotWord } from "../savepoints.ts";
import { NOT_HERE } from "../sources/positions.ts";
import { schemeOf } from "./scheme.ts";
import { type Subject, type Watch, copyOf } from "./watch.ts";

/** A snapshot of a job that is over: by subtask the word of its state. */
interface Former {
  readonly submission: number;
  readonly checkpoint: number;
  readonly plan: Plan;
  readonly words: readonly number[];
}

/** A snapshot in the numbers of a job: by subtask its state, then the lists of its channels. */
interface Held {
  readonly plan: Plan;
  readonly words: readonly (readonly number[])[];
}

const NOTHING = -1;

export class Assignment implements Subject {
  static readonly ids = ["INV-040", "INV-041", "INV-110"] as const;
  private readonly watch: Watch;
  /** A row a snapshot that is not gone: its id, then by subtask its word. */
  private readonly completed: Rows;
  private former: readonly Former[];

  constructor(watch: Watch, from: Assignment | null = null) {
    this.watch = watch;
    this.completed = from === null ? new Rows(1 + watch.plan.graph.subtasks.length, 2) : copyOf(from.completed);
    this.former = from?.former ?? [];
  }

  clone(watch: Watch): Assignment {
    return new Assignment(watch, this);
  }

  CheckpointCompleted(k: Kernel, checkpoint: number): void {
    const words = this.watch.plan.graph.subtasks.map(({ index }) => snapshotWord(k, checkpoint, index) ?? NOTHING);
    this.completed.push(checkpoint, ...words);
  }

  CheckpointSubsumed(_: Kernel, checkpoint: number): void {
    this.completed.removeWhere(0, checkpoint);
  }

  nextJob(watch: Watch, k: Kernel): Assignment {
    const next = new Assignment(watch);
    next.former = [...this.former, ...this.snapshots()];
    const { start } = watch.jobs;
    const former = next.former.find(
      ({ submission, checkpoint }) => submission === start?.submission && checkpoint === start.checkpoint,
    );
    if (former !== undefined) next.compare(k, former);
    // It is in the store of the new job too.
    if (start !== null) next.CheckpointCompleted(k, start.checkpoint);
    return next;
  }

  private snapshots(): Former[] {
    const { completed, watch } = this;
    return Array.from({ length: completed.count }, (_, row) => ({
      submission: watch.jobs.submission,
      checkpoint: completed.get(row, 0),
      plan: watch.plan,
      words: Array.from({ length: completed.width - 1 }, (__, task) => completed.get(row, 1 + task)),
    }));
  }

  private compare(k: Kernel, { checkpoint, plan, words }: Former): void {
    const { graph } = this.watch.plan;
    const held = (of: Plan, subtasks: readonly number[]): Held => ({
      plan: of,
      words: subtasks.map((word) => (word === NOTHING ? [] : k.arena.sequences.toArray(handleOf(word)))),
    });
    const before = held(plan, words);
    const after = held(
      this.watch.plan,
      graph.subtasks.map(({ index }) => snapshotWord(k, checkpoint, index) ?? NOTHING),
    );
    matchedOperators(plan.graph, graph).forEach((source, operator) => {
      if (source < 0) return;
      const [was, is] = [at(plan.operators, source), at(this.watch.plan.operators, operator)];
      const isLog = was.sink?.store === "log" && is.sink?.store === "log";
      if (was.kind !== is.kind || (was.sink?.kind !== is.sink?.kind && !isLog)) return;
      this.compareKeys(k, before, source, after, operator);
      this.compareLists(k, before, source, after, operator);
    });
    matchedEdges(plan.graph, graph).forEach((edge, old) => {
      if (edge < 0) return;
      const [had, has] = [inFlight(k.arena, before, old), inFlight(k.arena, after, edge)];
      const name = at(graph.operators, at(graph.edges, edge).toOperator).vertex.uid;
      this.same(k, "INV-110", `records in flight to ${name}`, had, has, name);
    });
  }

  private same(k: Kernel, id: string, what: string, had: string[], has: string[], uid: string): void {
    const [wanted, found] = [had.toSorted(), has.toSorted()];
    if (wanted.length === found.length && wanted.every((word, place) => word === found[place])) return;
    const said = `the snapshot has ${wanted.join(", ") || "none"}, the job that starts from it ${found.join(", ") || "none"}`;
    this.watch.violated(k, id, `${what} are the same before and behind a submission, but ${said}`, uid);
  }

  private compareKeys(k: Kernel, before: Held, source: number, after: Held, operator: number): void {
    const owners = [schemeOf(before.plan).owners[source], schemeOf(after.plan).owners[operator]];
    const [own, old] = [owners[1], owners[0]];
    if (own === null || own === undefined || old === null || old === undefined) return;
    const { uid } = at(after.plan.graph.operators, operator).vertex;
    after.plan.graph.keys.forEach((key, place) => {
      const had = keyedState(before, source, old[place] as number, place);
      const has = keyedState(after, operator, own[place] as number, place);
      if (had.every((word, i) => word === has[i])) return;
      const said = `subtask ${own[place]} of ${uid} has other state for ${key} than the snapshot that it starts from`;
      this.watch.violated(k, "INV-040", `who owns a key group has its state, but ${said}`, uid, key);
    });
  }

  private compareLists(k: Kernel, before: Held, source: number, after: Held, operator: number): void {
    const { uid } = at(after.plan.graph.operators, operator).vertex;
    const [had, has] = [elements(k, before, source), elements(k, after, operator)];
    this.same(k, "INV-041", "the elements of list state", had, has, uid);
  }
}

/** The subtasks of an operator: their numbers among all, and where its state is in theirs. */
function partsOf(
  { plan, words }: Held,
  operator: number,
): { readonly state: number; readonly of: readonly number[] }[] {
  const { subtasks } = at(plan.graph.vertices, at(plan.graph.operators, operator).taskVertex);
  return subtasks.map((subtask) => ({ state: at(plan.operators, operator).state, of: at(words, subtask) }));
}

/** A key's value and the list of its records. */
function keyedState(held: Held, operator: number, owner: number, key: number): readonly number[] {
  const { state, of } = at(partsOf(held, operator), owner);
  const place = state + 2 * (at(held.plan.operators, operator).keyPlace[key] as number);
  return [of[place] ?? 0, of[place + 1] ?? 0];
}

/** The elements of an operator's list state over all its subtasks, each in words. */
function elements({ arena }: Kernel, held: Held, operator: number): string[] {
  const { kind, splits } = at(held.plan.operators, operator);
  const parts = partsOf(held, operator);
  if (kind === "source")
    return parts.flatMap(({ state, of }, number) =>
      at(splits, number).flatMap((partition, place) => {
        const position = of[state + place] ?? NOT_HERE;
        return position === NOT_HERE ? [] : [`${at(held.plan.graph.inputs, partition).name} at ${position}`];
      }),
    );
  if (kind === "sink" || kind === "committer")
    return parts.flatMap(({ state, of }) => {
      const words = arena.sequences.toArray(of[state] ?? 0);
      return Array.from({ length: words.length / 3 }, (_, i) => words.slice(3 * i, 3 * i + 3).join("/"));
    });
  if (kind !== "counter") return [];
  // Elements that one subtask gets are added up, so what is kept is their sum, and the records that were counted.
  const records = parts.flatMap(({ state, of }) => arena.lists.toArray(of[state + 1] ?? 0));
  return [`count ${parts.reduce((sum, { state, of }) => sum + (of[state] ?? 0), 0)}`, ...records.map(String)];
}

/** The records that subtasks hold of an exchange, as input or as output, each with its value. */
function inFlight(arena: Arena, { plan, words }: Held, edge: number): string[] {
  const { graph, stateSize } = plan;
  return graph.subtasks.flatMap(({ index, inputs, outputs }) =>
    [...inputs, ...outputs].flatMap((channel, place) => {
      const list = at(words, index)[(stateSize[index] as number) + place] ?? 0;
      if (list === 0 || at(graph.channels, channel).edge !== edge) return [];
      const records = arena.lists.toArray(list);
      return Array.from({ length: records.length / 2 }, (_, i) => `${records[2 * i]} with ${records[2 * i + 1]}`);
    }),
  );
}
