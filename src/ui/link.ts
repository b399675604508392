/**
 * Session and port: what is asked of the engine and what its replies mean for the store. Replies of an earlier session
 * are told by their number and dropped. A session is staged until it has something to show, so that what was open stays.
 * When the engine dies, what has arrived stays usable: the next request brings a new engine to where the old one was.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { Branch, BranchId, Decision, EnginePort, Reply, Reproduction } from "../worker/port.ts";
import { Run } from "./run.ts";
import { type BranchRun, type Session, appStore } from "./store.ts";

/** An engine that can die and can be sent away. */
export interface EngineConnection extends EnginePort {
  onDeath(listen: (message: string) => void): void;
  close(): void;
}

export interface OpenOptions {
  readonly scenario: Scenario;
  readonly text: string;
  readonly library: string | null;
  /** How many of its last faults somebody has planned here. */
  readonly planned?: number;
}

export interface LinkEvents {
  /** A session has taken the place of the one before. `place`: where the cursor is to go. */
  shown(place: Place): void;
  forked(branch: Branch): void;
  /** A branch has grown. */
  grown(branch: BranchId): void;
  failed(message: string, reproduction: Reproduction): void;
}

export interface Place {
  readonly branch: BranchId;
  readonly step: number;
}

export interface Fork {
  readonly branch: BranchId;
  readonly step: number;
  readonly command: Command;
}

/** A session that is being made. `forks` are still to be taken; when none is left it is shown. */
interface Staged {
  session: Session;
  forks: Fork[];
  readonly place: Place;
}

export class Link {
  private engine: EngineConnection | null = null;
  private staged: Staged | null = null;
  private number = 0;
  /** The engine does not hold the session that is shown. */
  private stale = false;
  /** Branches that are asked for and not there yet. */
  private asked = 0;
  private readonly connect: () => EngineConnection;
  private readonly events: LinkEvents;

  constructor(connect: () => EngineConnection, events: LinkEvents) {
    this.connect = connect;
    this.events = events;
  }

  /**
   * `place`: where the cursor is to go, once all forks are taken; one that its branch is too short for is not. Returns the
   * number that the session will have.
   */
  open(options: OpenOptions, place: Place = { branch: 0, step: 0 }, forks: readonly Fork[] = []): number {
    this.stage(options, executionGraph(options.scenario), [...forks], place);
    return this.number;
  }

  /** Branches off with a command. Where the engine has lost the session, it is made again first. */
  fork(branch: BranchId, step: number, command: Command): void {
    const { session } = appStore.getState();
    if (session === null) return;
    if (this.stale) {
      const forks = [...forksOf(session.branches), { branch, step, command }];
      this.stage(session, session.graph, forks, { branch: session.branches.length, step });
      return;
    }
    this.expect(1);
    this.asked++;
    this.connected().send({ type: "fork", session: session.number, branch, step, command });
  }

  /** A session or a branch has been asked for and is not there yet. */
  get isMaking(): boolean {
    return this.staged !== null || this.asked > 0;
  }

  /** Makes the shown session again in a new engine, with all branches that came to their end. */
  restart(): void {
    const { session, branch, step } = appStore.getState();
    if (session === null) return;
    const broken = session.branches.findIndex(
      ({ branch: { id }, report, violation, paused }) => id > 0 && report === null && violation === null && !paused,
    );
    const good = broken < 0 ? session.branches : session.branches.slice(0, broken);
    this.stage(session, session.graph, forksOf(good), placeWithin(session, good.length, { branch, step }));
  }

  /** Computes no more of a branch for now. */
  pause(branch: BranchId): void {
    this.engine?.send({ type: "pause", session: this.number, branch });
  }

  /** Goes on with a branch that was paused; where the engine has lost the session, it is made again. */
  resume(branch: BranchId): void {
    if (this.stale) return this.restart();
    this.change(branch, (paused) => ({ ...paused, paused: false }));
    this.expect(1);
    this.connected().send({ type: "resume", session: this.number, branch });
  }

  /** A dead engine, as far as the page can tell: what was asked of it will not be answered. */
  died(message: string): void {
    const answered = appStore.getState().session !== null;
    this.engine?.close();
    this.engine = null;
    this.stale = true;
    const lost = this.staged;
    this.staged = null;
    this.asked = 0;
    appStore.setState({ pending: 0, staged: null });
    if (answered) this.connected();
    this.events.failed(message, reproduction(lost?.session ?? null));
  }

  private stage(options: OpenOptions, graph: ExecutionGraph, forks: Fork[], place: Place): void {
    this.number++;
    this.stale = true;
    const { scenario, text, library, planned = 0 } = options;
    const root: Branch = { id: 0, parent: null, step: 0, command: null };
    const made = { number: this.number, scenario, text, library, planned, graph, commands: [...scenario.faults] };
    const session: Session = { ...made, branches: [emptyBranch(root, made, null)] };
    this.staged = { session, forks, place };
    this.asked = 0;
    appStore.setState({ pending: 1, staged: null });
    this.connected().send({ type: "open", session: this.number, scenario, checkInvariants: true });
  }

  private connected(): EngineConnection {
    if (this.engine !== null) return this.engine;
    const engine = this.connect();
    engine.subscribe((reply) => {
      if (this.engine === engine && reply.session === this.number) this.apply(reply);
    });
    engine.onDeath((message) => {
      if (this.engine === engine) this.died(message);
    });
    this.engine = engine;
    return engine;
  }

  private apply(reply: Reply): void {
    switch (reply.type) {
      case "opened":
        return;
      case "forked":
        return this.addBranch(reply.branch);
      case "appended": {
        this.change(reply.branch, (branch) => {
          branch.run.append(reply.chunk);
          return { ...branch, length: branch.run.log.length };
        });
        // The first picture does not wait for the end of the run.
        if (this.staged !== null && this.staged.forks.length === 0 && this.staged.place.step === 0) this.show();
        else if (this.staged === null) this.events.grown(reply.branch);
        return;
      }
      case "violated":
        return this.change(reply.branch, (branch) => ({ ...branch, violation: reply.violation }));
      case "judged":
        return this.change(reply.branch, (branch) => ({ ...branch, judged: reply.entries }));
      case "paused": {
        this.change(reply.branch, (branch) => ({ ...branch, paused: true }));
        this.expect(-1);
        return this.show();
      }
      case "ended": {
        this.change(reply.branch, (branch) => {
          branch.run.fit();
          return { ...branch, report: reply.report };
        });
        return this.ended(reply.branch);
      }
      case "failed": {
        this.show();
        this.asked = 0;
        appStore.setState({ pending: 0 });
        return this.events.failed(reply.message, reply.reproduction);
      }
    }
  }

  private ended(branch: BranchId): void {
    this.expect(-1);
    const next = this.staged?.forks.shift();
    const room = next === undefined ? 0 : (this.current()?.branches[next.branch]?.length ?? 0);
    if (next === undefined || next.step > room) {
      this.show();
      this.events.grown(branch);
      return;
    }
    this.expect(1);
    this.connected().send({ type: "fork", session: this.number, ...next });
  }

  private show(): void {
    if (this.staged === null) return;
    const { session } = this.staged;
    const place = this.staged.place.branch < session.branches.length ? this.staged.place : { branch: 0, step: 0 };
    this.staged = null;
    this.stale = false;
    appStore.setState({ session, staged: null });
    this.events.shown(place);
  }

  private addBranch(branch: Branch): void {
    const session = this.current();
    if (session === null) return;
    const parent = branch.parent === null ? null : at(session.branches, branch.parent);
    if (branch.command !== null) session.commands.push(branch.command);
    const made = emptyBranch(branch, session, parent);
    this.put({ ...session, branches: [...session.branches, made] });
    if (this.staged !== null) return;
    this.asked = Math.max(0, this.asked - 1);
    this.events.forked(branch);
  }

  private change(id: BranchId, update: (branch: BranchRun) => BranchRun): void {
    const session = this.current();
    if (session === null || session.branches[id] === undefined) return;
    this.put({
      ...session,
      branches: session.branches.map((branch, index) => (index === id ? update(branch) : branch)),
    });
  }

  private current(): Session | null {
    return this.staged?.session ?? appStore.getState().session;
  }

  private put(session: Session): void {
    if (this.staged !== null) this.staged.session = session;
    appStore.setState(this.staged === null ? { session } : { staged: session });
  }

  private expect(more: number): void {
    appStore.setState(({ pending }) => ({ pending: Math.max(0, pending + more) }));
  }
}

function emptyBranch(branch: Branch, session: Omit<Session, "branches">, parent: BranchRun | null): BranchRun {
  const { graph, scenario, commands } = session;
  const run = new Run({ graph, scenario, commands, parent: parent?.run ?? null, base: branch.step });
  return {
    branch,
    run,
    length: run.log.length,
    report: null,
    violation: null,
    name: null,
    judged: 0,
    paused: false,
    removed: false,
  };
}

/** The nearest place that is in one of the first `count` branches. */
function placeWithin(session: Session, count: number, place: Place): Place {
  const { branch } = at(session.branches, place.branch);
  if (branch.id < count || branch.parent === null) return place;
  return placeWithin(session, count, { branch: branch.parent, step: Math.min(place.step, branch.step - 1) });
}

export function forksOf(branches: readonly BranchRun[]): Fork[] {
  return branches.flatMap(({ branch }) =>
    branch.parent === null || branch.command === null
      ? []
      : [{ branch: branch.parent, step: branch.step, command: branch.command }],
  );
}

/** What was decided on the way to a branch, oldest first. */
export function decisionsOf(session: Session, id: BranchId): Decision[] {
  const { branch } = at(session.branches, id);
  if (branch.parent === null || branch.command === null) return [];
  return [...decisionsOf(session, branch.parent), { step: branch.step, command: branch.command }];
}

/** All that is needed to see again what is on the screen, or what was about to be. */
function reproduction(lost: Session | null): Reproduction {
  const { session, branch, step } = appStore.getState();
  const shown = session ?? lost;
  if (shown === null) throw new Error("assertion failed: an engine was asked for something without a session");
  return { scenario: shown.scenario, decisions: session === null ? [] : decisionsOf(session, branch), step };
}
