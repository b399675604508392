/**
 * A failure on its way along a run: where it strikes, what it is, and what each place that was asked about comes to.
 * Between a person's questions the places in between are asked about, so that a strip of outcomes paints itself.
 */
import { type StoreApi, createStore } from "zustand/vanilla";
import { at } from "../../base/assert.ts";
import type { Injection, Landing, ProbeSurvey, ProbeTask } from "../../scenario/exploration.ts";
import type { Command } from "../../scenario/scenario.ts";
import { sameCommand } from "../../scenario/targets.ts";
import type { ProbePort, ProbeReply } from "../../worker/port.ts";

export interface CrashState {
  readonly state: "opening" | "ready" | "failed";
  readonly message: string;
  readonly survey: ProbeSurvey | null;
  readonly commands: readonly Command[];
  readonly chosen: number;
  /** The last entry that happens before the failure. */
  readonly step: number;
  /** Of the chosen failure, by the entry before it. */
  readonly landings: ReadonlyMap<number, Landing>;
}

/** Places that are asked about unasked, and the name under which a browser's performance timeline has each answer. */
const COLUMNS = 128;
const MEASURE = "crash-verdict";

export type ConnectProbe = (task: ProbeTask) => Promise<ProbePort>;

export class CrashDrag {
  readonly store: StoreApi<CrashState>;
  private readonly known = new Map<number, Map<number, Landing>>();
  private port: ProbePort | null = null;
  /** Goes up with each start and stop: what an earlier thread says comes to nothing. */
  private turn = 0;
  /** Steps still to be asked about unasked, the next one last. */
  private columns: number[] = [];
  /** Since when a person waits, by the clock of the page; `null`: nobody does. */
  private since: number | null = null;
  private readonly connect: ConnectProbe;
  private readonly task: ProbeTask;
  private readonly places: readonly number[] | null;

  /** `places`: the only ones that are asked about; `null`: all over the run. */
  constructor(
    connect: ConnectProbe,
    task: ProbeTask,
    {
      commands,
      chosen,
      step,
      places = null,
    }: Pick<CrashState, "commands" | "chosen" | "step"> & { readonly places?: readonly number[] | null },
  ) {
    this.connect = connect;
    this.task = task;
    this.places = places;
    this.store = createStore(() => ({
      state: "opening",
      message: "",
      survey: null,
      commands,
      chosen,
      step,
      landings: new Map(),
    }));
  }

  /** Begins a thread, which is there until the returned function is called. What is stopped at once begins none. */
  start(): () => void {
    const turn = ++this.turn;
    queueMicrotask(() => {
      if (turn === this.turn) void this.begin(turn);
    });
    return () => {
      this.turn++;
      this.port?.cancel();
      this.port = null;
    };
  }

  private async begin(turn: number): Promise<void> {
    try {
      const port = await this.connect(this.task);
      if (turn !== this.turn) return port.cancel();
      this.port = port;
      port.subscribe((reply) => this.receive(reply));
    } catch (error) {
      if (turn === this.turn) this.receive({ type: "failed", message: String(error) });
    }
  }

  /** Puts the failure behind another entry, as near as it can strike. */
  move(step: number): void {
    const { survey } = this.store.getState();
    if (survey === null) return;
    const first = Math.max(0, survey.from - 1);
    this.store.setState({ step: Math.min(Math.max(step, first), survey.length - 2) });
    this.ask();
  }

  choose(chosen: number): void {
    const { commands } = this.store.getState();
    const next = Math.min(Math.max(chosen, 0), commands.length - 1);
    this.store.setState({ chosen: next, landings: new Map(this.known.get(next)) });
    this.columns = this.columnsOf();
    this.ask();
  }

  /** The failure as it stands, or behind another entry. */
  injection(step = this.store.getState().step): Injection {
    const { commands, chosen } = this.store.getState();
    return { step: step + 1, command: at(commands, chosen) };
  }

  private ask(): void {
    const { step, landings } = this.store.getState();
    this.since = performance.now();
    if (landings.has(step)) this.answered();
    else this.port?.ask(this.injection());
  }

  /** The verdict of where the failure stands is there. */
  private answered(): void {
    if (this.since === null) return;
    performance.measure(MEASURE, { start: this.since });
    this.since = null;
    this.fill();
  }

  private receive(reply: ProbeReply): void {
    if (reply.type === "failed") return this.store.setState({ state: "failed", message: reply.message });
    if (reply.type === "probed") {
      this.store.setState({ state: "ready", survey: reply.survey });
      this.columns = this.columnsOf();
      return this.move(this.store.getState().step);
    }
    this.keep(reply.injection, reply.landing);
    if (this.store.getState().landings.has(this.store.getState().step)) this.answered();
    if (this.since === null) this.fill();
  }

  private keep({ step, command }: Injection, landing: Landing): void {
    const { commands, chosen } = this.store.getState();
    const index = commands.findIndex((each) => sameCommand(each, command));
    const landings = this.known.get(index) ?? new Map<number, Landing>();
    this.known.set(index, landings.set(step - 1, landing));
    if (index === chosen) this.store.setState({ landings: new Map(landings) });
  }

  private fill(): void {
    const { landings, commands, chosen } = this.store.getState();
    for (let next = this.columns.pop(); next !== undefined; next = this.columns.pop())
      if (!landings.has(next)) return this.port?.ask({ step: next + 1, command: at(commands, chosen) });
  }

  /** Places over the whole run, coarse ones last: they are asked about first. */
  private columnsOf(): number[] {
    const { survey } = this.store.getState();
    if (survey === null) return [];
    const first = Math.max(0, survey.from - 1);
    const last = survey.length - 2;
    if (this.places !== null) return this.places.filter((step) => step >= first && step <= last).reverse();
    const span = last - first;
    const columns: number[] = [];
    for (let parts = COLUMNS; parts >= 1; parts /= 2)
      for (let part = parts === 1 ? 0 : 1; part <= parts; part += parts === 1 ? 1 : 2)
        columns.push(first + Math.round((span * part) / parts));
    return columns.filter((step) => step >= 0);
  }
}
