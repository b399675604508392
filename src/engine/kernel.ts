/**
 * The clock, the agenda and the log's pen: a deterministic discrete-event simulator. A step takes what is due first, by
 * time and then by order of creation, and produces one log entry. What Flink does atomically is a chain: operations put
 * in front of everything else by the entry before them, which only a fault can interrupt.
 */
import { assert, at } from "../base/assert.ts";
import { advance, below } from "../base/prng.ts";
import { EventNumber, type EventType, events, eventTypes } from "../protocol/events.ts";
import { type FieldKind, lists } from "../protocol/field-kinds.ts";
import { Draft, type EventLog } from "../protocol/log.ts";
import { machines } from "../protocol/machines/all.ts";
import type { Command, Moment } from "../scenario/scenario.ts";
import type { Arena } from "./arena.ts";
import type { Decisions } from "./decisions.ts";
import { Due, Job, LostRpc } from "./layout.ts";
import type { Plan } from "./plan.ts";
import { Actor, Op } from "./ops.ts";
import type { World } from "./world.ts";

/** Order of a chain's operations: in front of all else that is due at the time. */
const CHAIN = -1;

/** For each machine and state the allowed targets, as a bit set: the edge check of every move. */
const edges: readonly (readonly number[])[] = machines.map(({ states }) => {
  const order = Object.keys(states);
  return Object.values(states as Record<string, Record<string, readonly string[]>>).map((events) =>
    Object.values(events)
      .flat()
      .reduce((set, target) => set | (1 << order.indexOf(target)), 0),
  );
});

/** By event number: how many of its fields are single numbers. */
const fieldCounts: readonly number[] = eventTypes.map(
  (type) => Object.values(events[type].fields as Record<string, FieldKind>).filter((kind) => !lists.has(kind)).length,
);

export type Dispatch = (kernel: Kernel, op: number, a: number, b: number, c: number, d: number) => void;

/** One job of a run: the scenario's own, or what an operation `restore` made of it. */
export interface Submission {
  readonly plan: Plan;
  /** Its number in its run, from 0. */
  readonly number: number;
  /** The one before it, a place in `Session.submissions`, and the command that it comes from; `-1`: the scenario's own job. */
  readonly before: number;
  readonly command: number;
}

/** What all branches of one scenario share. */
export interface Session {
  /** The scenario's own job. */
  readonly plan: Plan;
  /** Every job that any branch has submitted; only grows. A world says by its place which one it runs. */
  readonly submissions: Submission[];
  readonly arena: Arena;
  readonly decisions: Decisions;
  readonly commands: Command[];
  /** By step: what is chosen there, one after the other until one makes an entry; `null`: there is no schedule. */
  readonly schedule: ReadonlyMap<number, readonly number[]> | null;
}

export class Kernel {
  private readonly session: Session;
  /** The job that runs. */
  plan: Plan;
  readonly arena: Arena;
  readonly decisions: Decisions;
  /** What faults and people do, by the number that operations carry; only grows. */
  readonly commands: readonly Command[];
  world: World;
  /** `null`: a run of which only the end matters. */
  log: EventLog | null;
  readonly draft = new Draft();
  /** The step that causes what is done now; entries and operations take it along. */
  cause = -1;
  /** Whose operation is carried out now. */
  actor = -1;
  /** The input that a thread looks at first for what goes before all data; a schedule may say another than the first. */
  firstInput = 0;
  private readonly chained: number[] = [];
  /** Entries that the current step has produced: one at most. */
  private emitted = 0;

  constructor(session: Session, world: World, log: EventLog | null) {
    this.session = session;
    this.plan = session.plan;
    this.arena = session.arena;
    this.decisions = session.decisions;
    this.commands = session.commands;
    this.world = world;
    this.log = log;
    this.enter(world);
  }

  /** Goes on in this world, and with the job that it runs. */
  enter(world: World): void {
    const { plan, number } = this.submissionOf(world.job(Job.submission));
    this.world = world;
    this.plan = plan;
    this.draft.submission = number;
  }

  /** The number of the job that runs, in its run. */
  get submission(): number {
    return this.draft.submission;
  }

  submissionOf(place: number): Submission {
    return at(this.session.submissions, place);
  }

  /** The jobs of the run so far, the one that runs last. */
  get chain(): readonly Submission[] {
    const chain: Submission[] = [];
    for (let place = this.world.job(Job.submission); place >= 0; place = at(chain, chain.length - 1).before)
      chain.push(this.submissionOf(place));
    return chain.reverse();
  }

  /** When a fault of the scenario acts; `undefined`: it is a command that somebody has given. */
  momentOf(fault: number): Moment | undefined {
    return this.session.plan.scenario.faults[fault]?.at;
  }

  /** The place of a submission among those of the session, which has each once. */
  addSubmission(submission: Submission): number {
    const { submissions } = this.session;
    const { before, command, plan } = submission;
    const told = ({ graph, former }: Plan): string => JSON.stringify([graph.readers, former]);
    const known = submissions.findIndex(
      (other) => other.before === before && other.command === command && told(other.plan) === told(plan),
    );
    return known >= 0 ? known : submissions.push(submission) - 1;
  }

  get now(): number {
    return this.world.clock;
  }

  /** Declares a move of the entry that is emitted next; the edge must be in the machine's table. */
  move(machine: number, instance: number, from: number, to: number): void {
    const known = ((edges[machine]?.[from] ?? 0) & (1 << to)) !== 0;
    assert(known || !this.decisions.checksEdges(), `machine ${machine} has no edge from ${from} to ${to}`);
    this.draft.addMove(machine, instance, from, to);
  }

  /** Produces the step's entry. What is scheduled after it has it as its cause. */
  emit(type: EventType, a = -1, b = -1, c = -1, d = -1, e = -1, f = -1, g = -1): void {
    assert(this.emitted === 0, "one step produces one entry");
    const { draft, world } = this;
    const number = EventNumber[type];
    this.emitted = 1;
    draft.type = number;
    draft.clock = world.clock;
    draft.cause = this.cause;
    draft.fieldCount = fieldCounts[number] as number;
    const { fields } = draft;
    fields[0] = a;
    fields[1] = b;
    fields[2] = c;
    fields[3] = d;
    fields[4] = e;
    fields[5] = f;
    fields[6] = g;
    this.cause = world.step;
    world.step++;
    if (this.log !== null) this.log.append(draft);
  }

  /** Makes an operation due after `delay` milliseconds. */
  after(delay: number, op: number, actor: number, a = 0, b = 0, c = 0, d = 0): void {
    const { agenda, clock } = this.world;
    const time = clock + delay;
    let row = agenda.count;
    while (row > 0 && agenda.get(row - 1, Due.time) <= time) row--;
    this.put(row, time, this.world.nextOrder(), op, actor, a, b, c, d);
  }

  private put(
    row: number,
    time: number,
    order: number,
    op: number,
    actor: number,
    a: number,
    b: number,
    c: number,
    d: number,
  ): void {
    const { agenda } = this.world;
    agenda.open(row);
    agenda.set(row, Due.time, time);
    agenda.set(row, Due.order, order);
    agenda.set(row, Due.op, op);
    agenda.set(row, Due.actor, actor);
    agenda.set(row, Due.a, a);
    agenda.set(row, Due.b, b);
    agenda.set(row, Due.c, c);
    agenda.set(row, Due.d, d);
    agenda.set(row, Due.cause, this.cause);
  }

  /** Adds an operation to the chain that begins when the current one is done. */
  next(op: number, actor: number, a = 0, b = 0, c = 0, d = 0): void {
    this.chained.push(op, actor, a, b, c, d);
  }

  private flushChain(): void {
    const { chained } = this;
    const { agenda, clock } = this.world;
    const word = (index: number): number => chained[index] as number;
    for (let i = chained.length - 6; i >= 0; i -= 6) {
      this.put(agenda.count, clock, CHAIN, word(i), word(i + 1), word(i + 2), word(i + 3), word(i + 4), word(i + 5));
    }
    chained.length = 0;
  }

  /** Drops what a task's thread would have done next. */
  dropOperations(task: number): void {
    this.world.agenda.removeWhere(Due.actor, task);
    this.world.held.removeWhere(Due.actor, task);
  }

  /** Removes the first operation with these words, if it is there. */
  cancel(op: number, a: number, b = -1): boolean {
    const { agenda } = this.world;
    for (let row = agenda.count - 1; row >= 0; row--) {
      if (agenda.get(row, Due.op) !== op || agenda.get(row, Due.a) !== a || (b >= 0 && agenda.get(row, Due.b) !== b))
        continue;
      agenda.remove(row);
      return true;
    }
    return false;
  }

  /** What is left of a task's chain waits, held back, until `resumeChain`: its thread waits for an answer. */
  suspendChain(task: number): void {
    const { agenda, held } = this.world;
    for (let row = agenda.count - 1; row >= 0 && agenda.get(row, Due.order) === CHAIN; row--) {
      if (agenda.get(row, Due.actor) !== task) continue;
      held.push(
        0,
        CHAIN,
        ...[Due.op, Due.actor, Due.a, Due.b, Due.c, Due.d, Due.cause].map((at) => agenda.get(row, at)),
      );
      agenda.remove(row);
    }
  }

  resumeChain(task: number): void {
    const { held } = this.world;
    for (let row = 0; row < held.count;) {
      if (held.get(row, Due.order) !== CHAIN || held.get(row, Due.actor) !== task) {
        row++;
        continue;
      }
      const word = (column: number): number => held.get(row, column);
      this.next(word(Due.op), task, word(Due.a), word(Due.b), word(Due.c), word(Due.d));
      held.remove(row);
    }
  }

  /** A number in [0, bound) from the stream that a job field holds. */
  draw(stream: number, bound: number): number {
    const state = advance(this.world.job(stream));
    this.world.setJob(stream, state);
    return below(state, bound);
  }

  /** Sends a message between JobManager and tasks, unless a fault loses it. `rpc` is its place in `rpcs`. */
  sendRpc(rpc: number, task: number, checkpoint: number, op: number, a: number, b: number, c: number, d: number): void {
    if (!this.loses(rpc, task, checkpoint)) this.after(this.plan.scenario.timing.rpc, op, Actor.wire, a, b, c, d);
  }

  /** Does a fault lose this message? Then it says so, and has one less to lose. */
  loses(rpc: number, task: number, checkpoint: number): boolean {
    const { lostRpcs } = this.world;
    for (let row = 0; row < lostRpcs.count; row++) {
      if (lostRpcs.get(row, LostRpc.rpc) !== rpc) continue;
      const [wantedTask, wantedCheckpoint] = [lostRpcs.get(row, LostRpc.task), lostRpcs.get(row, LostRpc.checkpoint)];
      if ((wantedTask >= 0 && wantedTask !== task) || (wantedCheckpoint >= 0 && wantedCheckpoint !== checkpoint))
        continue;
      const left = lostRpcs.get(row, LostRpc.left) - 1;
      if (left === 0) lostRpcs.remove(row);
      else lostRpcs.set(row, LostRpc.left, left);
      this.next(Op.messageLost, Actor.wire, rpc, task, checkpoint);
      return true;
    }
    return false;
  }

  /**
   * Carries out operations until one has produced an entry. False: nothing is due any more, or, before an entry came,
   * `atRest` was fulfilled. `dispatch` knows the operations; it is handed in so that components need not know each other.
   */
  step(dispatch: Dispatch, atRest: (() => boolean) | null): boolean {
    const { agenda } = this.world;
    this.begin();
    while (agenda.count > 0) {
      this.carryOut(dispatch, agenda.count - 1);
      if (this.emitted > 0) return true;
      if (atRest !== null && atRest()) return false;
    }
    return false;
  }

  /**
   * Carries out the operation of one row of the agenda, and the chain behind it as far as no entry has come. True: an
   * entry has. What is taken late happens now.
   */
  take(dispatch: Dispatch, row: number): boolean {
    this.begin();
    this.carryOut(dispatch, row);
    while (this.emitted === 0 && this.inChain) this.carryOut(dispatch, this.world.agenda.count - 1);
    return this.emitted > 0;
  }

  /** Carries out the operation that is due first. True: an entry has come of it. */
  single(dispatch: Dispatch): boolean {
    this.begin();
    this.carryOut(dispatch, this.world.agenda.count - 1);
    return this.emitted > 0;
  }

  /** Is a chain under way? A thread that turns to its next mail or input has begun something new. */
  get inChain(): boolean {
    const { agenda } = this.world;
    const row = agenda.count - 1;
    return row >= 0 && agenda.get(row, Due.order) === CHAIN && agenda.get(row, Due.op) !== Op.taskTurn;
  }

  private begin(): void {
    this.emitted = 0;
    this.draft.moveCount = 0;
    this.draft.list = null;
  }

  private carryOut(dispatch: Dispatch, row: number): void {
    const { agenda, clock } = this.world;
    const op = agenda.get(row, Due.op);
    const a = agenda.get(row, Due.a);
    const b = agenda.get(row, Due.b);
    const c = agenda.get(row, Due.c);
    const d = agenda.get(row, Due.d);
    this.world.clock = Math.max(clock, agenda.get(row, Due.time));
    this.cause = agenda.get(row, Due.cause);
    this.actor = agenda.get(row, Due.actor);
    if (row === agenda.count - 1) agenda.count = row;
    else agenda.remove(row);
    dispatch(this, op, a, b, c, d);
    if (this.chained.length > 0) this.flushChain();
  }

  /** Puts an operation in front of all that is due, as a fault does between two entries. */
  interrupt(op: number, a: number, b = 0): void {
    this.cause = this.world.step - 1;
    this.put(this.world.agenda.count, this.world.clock, CHAIN, op, Actor.world, a, b, 0, 0);
  }
}
