/** Everything a person can do to the run, in one place: menus, buttons and keys all end here. */
import type { Cell } from "../scenario/guarantees/kinds.ts";
import type { ProbeTask } from "../scenario/exploration.ts";
import type { Command } from "../scenario/scenario.ts";
import type {
  Branch,
  BranchId,
  Decision,
  Reproduction,
  GuaranteePort,
  ProbePort,
  SweepPort,
  SweepRequest,
} from "../worker/port.ts";
import { type Act, InTurn } from "./in-turn.ts";
import { type EngineConnection, type Fork, Link, type OpenOptions, type Place } from "./link.ts";
import { Player, reducedMotion } from "./player.ts";
import { playhead } from "./playhead.ts";
import { type Announcement, appStore, branchOf, isComputed } from "./store.ts";

/** Workers for many runs. */
export interface Pools {
  readonly sweep: (request: SweepRequest) => Promise<SweepPort>;
  readonly guarantees: (cells: readonly Cell[]) => Promise<GuaranteePort>;
  readonly probe: (task: ProbeTask) => Promise<ProbePort>;
}

interface Opening {
  /** Goes to the moment at which the cursor stands now, or to this one, in milliseconds of simulated time. */
  readonly keepTime: boolean;
  readonly time?: number;
  readonly play: boolean;
  /** Or to this entry, of this branch. */
  readonly step?: number;
  readonly branch?: BranchId;
  /** What was decided in it already. */
  readonly forks?: readonly Fork[];
}

export class Controller {
  readonly player = new Player();
  private readonly link: Link;
  private readonly turns = new InTurn(() => this.link.isMaking);
  /** The moment of simulated time to go to in a session that is being made. */
  private resumeAt: number | null = null;
  private playWhenShown = false;
  /** A new branch whose entry at `step` is awaited. */
  private arriving: { readonly branch: BranchId; readonly step: number; readonly play: boolean } | null = null;
  private playAfterFork = false;
  /** A run that is being made: what is still to be decided, in which branch, and where the cursor is to go. */
  private way: { branch: BranchId | null; readonly ahead: Decision[]; readonly cursor: number } | null = null;
  /** An engine of its own, for whoever asks. */
  readonly connect: () => EngineConnection;
  readonly connectSweep: Pools["sweep"];
  readonly connectGuarantees: Pools["guarantees"];
  readonly connectProbe: Pools["probe"];

  constructor(connect: () => EngineConnection, pools: Pools) {
    this.connect = connect;
    this.connectSweep = pools.sweep;
    this.connectGuarantees = pools.guarantees;
    this.connectProbe = pools.probe;
    this.link = new Link(connect, {
      shown: (place) => this.shown(place),
      forked: (branch) => this.forked(branch),
      grown: (branch) => this.grown(branch),
      failed: (message, reproduction) => this.failed(message, reproduction),
    });
  }

  /** Runs a scenario; returns the number that its session will have. */
  open(options: OpenOptions, { keepTime, time, play, step = 0, branch = 0, forks = [] }: Opening): number {
    this.resumeAt = keepTime ? this.clock() : (time ?? null);
    this.way = null;
    this.playWhenShown = play && !reducedMotion();
    this.player.pause();
    return this.link.open(options, { branch, step }, forks);
  }

  /** Does it once all that has been asked for is on screen: at once, where nothing is being made. */
  onceMade(act: Act): void {
    this.turns.do(act);
  }

  /** Computes no more of a branch, or goes on with it. */
  compute(branch: BranchId, on: boolean): void {
    if (on) this.link.resume(branch);
    else this.link.pause(branch);
  }

  restartEngine(): void {
    appStore.setState({ dialog: null, failure: null });
    this.link.restart();
  }

  private shown({ branch, step }: Place): void {
    if (this.way !== null) this.way.branch = branch;
    appStore.setState({
      branch,
      selection: null,
      loop: null,
      notice: null,
      stopped: null,
      menu: null,
      refused: null,
      dialog: null,
      draft: null,
    });
    this.player.seek(step);
    this.resume();
    this.announce({ says: "opened" });
    if (this.playWhenShown) this.player.play();
    this.playWhenShown = false;
    this.made();
  }

  /** What waits for it comes after all that follows from it. */
  private made(): void {
    queueMicrotask(() => this.turns.goOn());
  }

  private grown(branch: BranchId): void {
    this.goOn(branch);
    if (branch !== appStore.getState().branch) return;
    this.resume();
    this.arrive();
    this.player.grown();
  }

  /** Goes to where the session before stood, as soon as the log has come that far. */
  private resume(): void {
    const branch = branchOf(appStore.getState());
    if (this.resumeAt === null || branch === null || branch.length === 0) return;
    const { log } = branch.run;
    if (!isComputed(branch) && log.clock(branch.length - 1) <= this.resumeAt) return;
    this.player.seek(log.firstAt(Math.floor(this.resumeAt) + 1) - 1);
    this.resumeAt = null;
  }

  private failed(message: string, reproduction: Reproduction): void {
    this.way = null;
    this.player.pause();
    appStore.setState({ failure: { message, reproduction }, dialog: "failure" });
    this.made();
  }

  /** Makes the command act at the cursor, in a branch of its own. */
  inject(command: Command): void {
    const app = appStore.getState();
    if (app.session === null) return;
    this.playAfterFork = app.menu?.wasPlaying ?? app.playback === "playing";
    this.player.pause();
    this.way = null;
    appStore.setState({ menu: null });
    this.link.fork(app.branch, app.step + 1, command);
  }

  /** Makes the run in which the decisions act in turn, the first of them in `branch`, and shows it at `cursor`. */
  decide(branch: BranchId, [first, ...ahead]: readonly Decision[], cursor: number): void {
    if (first === undefined) return;
    this.playAfterFork = false;
    this.player.pause();
    this.way = { branch: null, ahead, cursor };
    this.link.fork(branch, first.step, first.command);
  }

  /** Takes the next decision as soon as the branch has come to its step. */
  private goOn(branch: BranchId): void {
    const { way } = this;
    const next = way?.ahead[0];
    const length = appStore.getState().session?.branches[branch]?.length ?? 0;
    if (way === null || next === undefined || way.branch !== branch || length < next.step) return;
    way.ahead.shift();
    this.link.fork(branch, next.step, next.command);
  }

  private forked(branch: Branch): void {
    const { way } = this;
    if (way !== null && way.ahead.length > 0) {
      way.branch = branch.id;
      this.goOn(branch.id);
      return;
    }
    const step = way?.cursor ?? branch.step;
    this.way = null;
    appStore.setState({ branch: branch.id });
    this.player.seek(step - 1);
    this.arriving = { branch: branch.id, step, play: this.playAfterFork };
    this.made();
  }

  private arrive(): void {
    const branch = branchOf(appStore.getState());
    if (branch === null || this.arriving?.branch !== branch.branch.id || branch.length <= this.arriving.step) return;
    const { step, play } = this.arriving;
    this.arriving = null;
    this.player.seek(step);
    if (play) this.player.play();
  }

  /** Shows a branch that is there, at a step. */
  showAt(branch: BranchId, step: number): void {
    appStore.setState({ branch, menu: null });
    this.goTo(step);
    this.announce({ says: "moved", branch });
  }

  /** Shows another branch at the entry of the same number where that is of the same time, else at the same time. */
  switchBranch(id: BranchId): void {
    const { session, branch, step } = appStore.getState();
    const to = session?.branches[id];
    if (session === null || to === undefined || id === branch) return;
    const clock = this.clock();
    const { log } = to.run;
    const same = step < to.length && log.clock(step) === branchOf(appStore.getState())?.run.log.clock(step);
    appStore.setState({ branch: id, menu: null });
    this.player.seek(same ? step : log.firstAt(Math.floor(clock) + 1) - 1);
    this.announce({ says: "moved", branch: id });
  }

  goTo(step: number): void {
    this.player.pause();
    this.player.seek(step);
  }

  toStart(): void {
    this.goTo(0);
  }

  toEnd(): void {
    this.goTo((branchOf(appStore.getState())?.length ?? 1) - 1);
  }

  announce(announcement: Announcement): void {
    appStore.setState({ announcement });
  }

  private clock(): number {
    const branch = branchOf(appStore.getState());
    return branch === null ? 0 : branch.run.clock.momentAt(playhead.getState().presentation).clock;
  }
}
