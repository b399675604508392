/**
 * Which subtask gets which part of a snapshot when its job has changed (`StateAssignmentOperation`, `SubtaskStateMapper`;
 * CP-089, CP-172, CP-175 to CP-182). Keyed state goes by key groups. Operator list state is dealt out: the splits of a
 * source's readers, the counter of a `map`, and of a sink what each committer held, as one element. Records in flight go
 * to the channel that the partitioner would choose now, those of one channel in their order; between two pointwise sides
 * subtask i mod the new parallelism takes over from i.
 *
 * Simpler than Flink: a new subtask gets a re-routed record alone, where Flink gives a file to several who filter it.
 */
import { at } from "../base/assert.ts";
import { keyGroupRange } from "../protocol/key-groups.ts";
import { channelAfter, dealtOut, matchedEdges, matchedOperators, readersAfter } from "../scenario/state-mapping.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Arena } from "./arena.ts";
import { finishedWord, handleOf, isFinishedWord } from "./checkpoint-plan.ts";
import type { Decisions } from "./decisions.ts";
import type { Kernel } from "./kernel.ts";
import { isCommittable } from "./network.ts";
import { type Plan, keyOf } from "./plan.ts";
import type { Stored } from "./shelf.ts";
import { NOT_HERE } from "./sources/positions.ts";

/** A snapshot in the numbers of the new job. */
export interface Assigned {
  /** By subtask: its word; and the subtasks of the old job that it has state of. */
  readonly words: readonly number[];
  readonly from: readonly ReadonlySet<number>[];
  /** By source: the handle of its coordinator's snapshot. */
  readonly coordinators: readonly number[];
}

/** The words of an old subtask's snapshot: its state, then its channels. */
function wordsOf(arena: Arena, stored: Stored, subtask: number): readonly number[] {
  return arena.sequences.toArray(handleOf(at(stored.words, subtask)));
}

function subtasksOf({ graph }: Plan, operator: number): readonly number[] {
  return at(graph.vertices, at(graph.operators, operator).taskVertex).subtasks;
}

/** By source and input partition of the new job: its reader. */
export function readersIn(arena: Arena, stored: Stored, graph: ExecutionGraph): readonly (readonly number[])[] {
  const from = matchedOperators(stored.plan.graph, graph);
  return graph.sources.map((operator) => {
    const source = at(from, operator);
    const old = stored.plan.operators[source];
    const had = (old === undefined ? [] : subtasksOf(stored.plan, source)).map((subtask, number) => {
      const words = wordsOf(arena, stored, subtask);
      return at(old?.splits ?? [], number).filter((_, place) => at(words, (old?.state ?? 0) + place) !== NOT_HERE);
    });
    return readersAfter(at(graph.operators, operator).vertex, graph.inputs, had);
  });
}

export function assignState({ arena, decisions }: Kernel, stored: Stored, plan: Plan): Assigned {
  const assignment = new Assignment(arena, decisions, stored, plan);
  return assignment.assigned();
}

class Assignment {
  private readonly arena: Arena;
  private readonly decisions: Decisions;
  private readonly stored: Stored;
  private readonly plan: Plan;
  private readonly from: readonly number[];
  /** By new subtask. */
  private readonly words: number[][];
  private readonly origins: Set<number>[];

  constructor(arena: Arena, decisions: Decisions, stored: Stored, plan: Plan) {
    this.arena = arena;
    this.decisions = decisions;
    this.stored = stored;
    this.plan = plan;
    this.from = matchedOperators(stored.plan.graph, plan.graph);
    this.words = plan.graph.subtasks.map(({ index }) =>
      Array.from({ length: plan.stateSize[index] as number }, () => 0),
    );
    this.origins = plan.graph.subtasks.map(() => new Set());
  }

  assigned(): Assigned {
    const { plan, arena, stored } = this;
    plan.graph.operators.forEach((_, operator) => this.assignOperator(operator, at(this.from, operator)));
    if (this.decisions.takesInFlight()) this.assignChannels();
    return {
      words: this.words.map((words, subtask) => {
        const handle = arena.sequences.intern(words);
        return this.isFinished(subtask) ? finishedWord(handle) : handle;
      }),
      from: this.origins,
      coordinators: plan.graph.sources.map((operator) => {
        const source = stored.plan.graph.sources.indexOf(at(this.from, operator));
        return source < 0 ? arena.sequences.intern(plan.graph.inputs.map(() => 0)) : at(stored.coordinators, source);
      }),
    };
  }

  private old(subtask: number): readonly number[] {
    return wordsOf(this.arena, this.stored, subtask);
  }

  private assignOperator(operator: number, source: number): void {
    const { kind } = at(this.plan.operators, operator);
    if (kind === "source") this.assignSplits(operator, source);
    if (source < 0 || at(this.stored.plan.operators, source).kind !== kind) return;
    if (kind === "keyed-sum" || kind === "keyed-count" || kind === "dedup") this.assignKeys(operator, source);
    if (kind === "counter") this.assignCounters(operator, source);
    const [had, has] = [at(this.stored.plan.operators, source).sink, at(this.plan.operators, operator).sink];
    if (had === null || has === null) return;
    // A Kafka sink has its committer whatever the delivery.
    if (had.kind === has.kind || (had.store === "log" && has.store === "log"))
      this.assignCommittables(operator, source);
  }

  private assignSplits(operator: number, source: number): void {
    const { splits, state } = at(this.plan.operators, operator);
    const had = new Map<number, readonly [position: number, subtask: number]>();
    const before = source < 0 ? null : at(this.stored.plan.operators, source);
    for (const subtask of before === null ? [] : subtasksOf(this.stored.plan, source)) {
      const { number } = at(this.stored.plan.graph.subtasks, subtask);
      at(before?.splits ?? [], number).forEach((partition, place) => {
        const position = at(this.old(subtask), (before?.state ?? 0) + place);
        if (position !== NOT_HERE) had.set(partition, [position, subtask]);
      });
    }
    subtasksOf(this.plan, operator).forEach((subtask, number) =>
      at(splits, number).forEach((partition, place) => {
        const [position, origin] = had.get(partition) ?? [NOT_HERE, -1];
        const moves = origin >= 0 && at(this.stored.plan.graph.subtasks, origin).number !== number;
        at(this.words, subtask)[state + place] = moves ? this.decisions.movedPosition(position) : position;
        if (origin >= 0) at(this.origins, subtask).add(origin);
      }),
    );
  }

  private assignKeys(operator: number, source: number): void {
    const [before, after] = [at(this.stored.plan.operators, source), at(this.plan.operators, operator)];
    const [olds, news] = [subtasksOf(this.stored.plan, source), subtasksOf(this.plan, operator)];
    after.keyOwner.forEach((owner, key) => {
      const words = this.old(at(olds, before.keyOwner[key] as number));
      const [place, target] = [
        before.state + 2 * (before.keyPlace[key] as number),
        after.state + 2 * (after.keyPlace[key] as number),
      ];
      const receiver = this.decisions.stateOwner(owner, before.keyOwner[key] as number, news.length);
      const own = at(this.words, at(news, receiver));
      own[target] = at(words, place);
      own[target + 1] = at(words, place + 1);
    });
    const maximum = at(this.plan.graph.vertices, at(this.plan.graph.operators, operator).taskVertex).maxParallelism;
    news.forEach((subtask, number) => {
      const [first, last] = keyGroupRange(number, maximum, news.length);
      olds.forEach((origin, old) => {
        const [from, to] = keyGroupRange(old, maximum, olds.length);
        if (from <= last && to >= first) at(this.origins, subtask).add(origin);
      });
    });
  }

  /** One element of list state a subtask; `merge` makes one of what a new subtask gets. */
  private deal(
    operator: number,
    source: number,
    take: (words: readonly number[], into: number[], origin: number) => void,
  ): void {
    const subtasks = subtasksOf(this.plan, operator);
    const olds = subtasksOf(this.stored.plan, source);
    const dealt = dealtOut(olds, subtasks.length, this.decisions.dealsListState());
    subtasks.forEach((subtask, number) => {
      for (const origin of at(dealt, number)) {
        take(this.old(origin), at(this.words, subtask), origin);
        at(this.origins, subtask).add(origin);
      }
    });
  }

  private assignCounters(operator: number, source: number): void {
    const [from, to] = [at(this.stored.plan.operators, source).state, at(this.plan.operators, operator).state];
    this.deal(operator, source, (words, into) => {
      into[to] = at(into, to) + at(words, from);
      into[to + 1] = this.joined(at(into, to + 1), at(words, from + 1));
    });
  }

  /** A list with another one behind it. */
  private joined(list: number, more: number): number {
    const { lists } = this.arena;
    return list === 0 ? more : lists.toArray(more).reduce((all, item) => lists.append(all, item), list);
  }

  /** What committers held, by ascending checkpoint (SK-143). */
  private assignCommittables(operator: number, source: number): void {
    const { sequences } = this.arena;
    const [from, to] = [at(this.stored.plan.operators, source).state, at(this.plan.operators, operator).state];
    const { parallelism } = at(this.plan.graph.vertices, at(this.plan.graph.operators, operator).taskVertex);
    const pooled = [at(this.stored.plan.operators, source), at(this.plan.operators, operator)].every(
      ({ sink }) => sink?.kind === "kafkaTransactional" && sink.naming === "pooling",
    );
    this.deal(operator, source, (words, into, origin) => {
      const { number } = at(this.stored.plan.graph.subtasks, origin);
      if (!this.decisions.takesCommittables(number, parallelism)) return;
      const all = [...sequences.toArray(at(into, to)), ...sequences.toArray(at(words, from))];
      const held = Array.from({ length: all.length / 3 }, (_, i) => all.slice(3 * i, 3 * i + 3));
      into[to] = sequences.intern(held.toSorted((a, b) => at(a, 2) - at(b, 2)).flat());
      if (pooled) into[to + 1] = sequences.intern(this.inherited(at(into, to + 1), at(words, from + 1)));
    });
  }

  /** Whose names a writer has: with all subtask numbers that it takes over (SK-156). */
  private inherited(own: number, more: number): number[] {
    const { sequences } = this.arena;
    const [total = 0, ...subtasks] = sequences.toArray(own);
    const [others = 0, ...taken] = sequences.toArray(more);
    return [Math.max(total, others), ...[...subtasks, ...taken].toSorted((a, b) => a - b)];
  }

  private assignChannels(): void {
    const { graph } = this.stored.plan;
    const edges = matchedEdges(graph, this.plan.graph);
    const inputs = new Map<number, number>();
    const outputs = new Map<number, number>();
    for (const { index, edge, from, to } of graph.channels) {
      const target = at(edges, edge);
      if (target < 0) continue;
      this.reroute(index, target, to, inputs);
      this.reroute(index, target, from, outputs);
    }
    if (inputs.size + outputs.size === 0) return;
    this.plan.graph.subtasks.forEach((subtask) => {
      const lists = [
        ...subtask.inputs.map((channel) => inputs.get(channel) ?? 0),
        ...subtask.outputs.map((channel) => outputs.get(channel) ?? 0),
      ];
      if (lists.some((list) => list !== 0)) at(this.words, subtask.index).push(...lists);
    });
  }

  /** The list that an old subtask's snapshot has of a channel, which it reads or writes. */
  private channelState(subtask: number, channel: number): number {
    const { inputs, outputs } = at(this.stored.plan.graph.subtasks, subtask);
    const place = inputs.indexOf(channel);
    const start = this.stored.plan.stateSize[subtask] as number;
    return this.old(subtask)[start + (place < 0 ? inputs.length + outputs.indexOf(channel) : place)] ?? 0;
  }

  /** Takes the records that `holder`, reader or writer of an old channel, has of it to channels of a new edge. */
  private reroute(channel: number, edge: number, holder: number, into: Map<number, number>): void {
    const list = this.channelState(holder, channel);
    if (list === 0) return;
    const { lists } = this.arena;
    const { subtasks, channels } = this.stored.plan.graph;
    const { from: sender, to: receiver } = at(channels, channel);
    const words = lists.toArray(list);
    for (let i = 0; i < words.length; i += 2) {
      const record = at(words, i);
      const key = isCommittable(record) ? "" : at(this.plan.graph.keys, keyOf(this.plan, record));
      const [writer, reader] = [at(subtasks, sender).number, at(subtasks, receiver).number];
      const chosen = channelAfter(this.plan.graph, edge, writer, reader, key);
      into.set(chosen, lists.append(lists.append(into.get(chosen) ?? 0, at(words, i)), at(words, i + 1)));
      const { from, to } = at(this.plan.graph.channels, chosen);
      at(this.origins, holder === receiver ? to : from).add(holder);
    }
  }

  /** CP-194, CP-196: with the same parallelism as it was; else only where the whole vertex had finished. */
  private isFinished(subtask: number): boolean {
    const { taskVertex, number } = at(this.plan.graph.subtasks, subtask);
    const { operators, parallelism } = at(this.plan.graph.vertices, taskVertex);
    return operators.every((operator) => {
      const source = at(this.from, operator);
      if (source < 0) return false;
      const olds = subtasksOf(this.stored.plan, source);
      const finished = (old: number): boolean => isFinishedWord(at(this.stored.words, old));
      return olds.length === parallelism ? finished(at(olds, number)) : olds.every(finished);
    });
  }
}
