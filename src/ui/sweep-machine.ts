/**
 * A kill sweep as the app sees it: not begun, running or paused, ended in one of three ways. The port it speaks through is
 * given from outside; while the machine is in `running` it is open, and leaving that state closes it.
 */
import { type ActorRefFrom, assign, fromCallback, sendTo, setup } from "xstate";
import type { SweepTotals } from "../scenario/exploration.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { BranchId, SweepPort, SweepReply, SweepRequest } from "../worker/port.ts";

/** What is swept: a branch of a session. Sessions with the same scenario object are the same run. */
export interface SweepTarget {
  readonly scenario: Scenario;
  readonly branch: BranchId;
  /** What it is called, also when it is no longer open. */
  readonly name: string;
}

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  readonly totals: SweepTotals;
  /** Milliseconds of wall time, without pauses. */
  readonly ran: number;
}

/** A sweep that came to its end. */
export interface SweepResult {
  readonly target: SweepTarget;
  readonly totals: SweepTotals;
}

export type SweepEvent =
  | { readonly type: "start"; readonly target: SweepTarget; readonly request: SweepRequest }
  | { readonly type: "pause" | "resume" | "cancel" }
  /** What is swept is no longer open. */
  | { readonly type: "left" }
  | { readonly type: "progress"; readonly progress: SweepProgress }
  | { readonly type: "finished"; readonly progress: SweepProgress }
  | { readonly type: "failed"; readonly message: string };

export type ConnectSweep = (request: SweepRequest) => Promise<SweepPort>;

interface Context {
  readonly connect: ConnectSweep;
  readonly target: SweepTarget | null;
  readonly request: SweepRequest | null;
  readonly progress: SweepProgress | null;
  readonly message: string;
  /** The sweep before this one, where that was of another run and came to its end. */
  readonly before: SweepResult | null;
}

/** At most so often is the progress told: for each telling the panel is drawn. */
const EVERY = 200;

interface PortInput {
  readonly connect: ConnectSweep;
  readonly request: SweepRequest;
}

const port = fromCallback<{ readonly type: "pause" | "resume" }, PortInput, SweepEvent>(
  ({ sendBack, receive, input }) => {
    const watch = new Watch();
    let open: SweepPort | null = null;
    let left = false;
    let latest: (SweepReply & { type: "progress" }) | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      timer = null;
      if (latest === null) return;
      const { done, total, totals } = latest;
      latest = null;
      timer = setTimeout(tell, EVERY);
      sendBack({ type: "progress", progress: { done, total, totals, ran: watch.ran() } });
    };
    const take = (reply: SweepReply): void => {
      if (left) return;
      if (reply.type === "progress") {
        latest = reply;
        if (timer === null) tell();
      } else if (reply.type === "failed") sendBack(reply);
      else sendBack({ type: "finished", progress: { done: 1, total: 1, totals: reply.totals, ran: watch.ran() } });
    };
    const connected = (made: SweepPort): void => {
      if (left) {
        made.cancel();
        return;
      }
      open = made;
      made.subscribe(take);
      if (watch.paused) made.pause();
    };
    input
      .connect(input.request)
      .then(connected, (error: unknown) => sendBack({ type: "failed", message: String(error) }));
    receive(({ type }) => {
      watch.turn(type === "resume");
      open?.[type]();
    });
    return () => {
      left = true;
      if (timer !== null) clearTimeout(timer);
      open?.cancel();
    };
  },
);

/** Wall time without pauses. */
class Watch {
  private before = 0;
  private since: number | null = performance.now();

  get paused(): boolean {
    return this.since === null;
  }

  ran(): number {
    return this.before + (this.since === null ? 0 : performance.now() - this.since);
  }

  turn(on: boolean): void {
    this.before = this.ran();
    this.since = on ? performance.now() : null;
  }
}

export const sweepMachine = setup({
  types: {
    events: {} as SweepEvent,
    context: {} as Context,
    input: {} as { readonly connect: ConnectSweep },
  },
  actors: { port },
  actions: {
    begin: assign(({ context, event }) =>
      event.type === "start"
        ? {
            target: event.target,
            request: event.request,
            progress: null,
            message: "",
            before: resultBefore(context, event.target),
          }
        : {},
    ),
    take: assign(({ event }) =>
      event.type === "progress" || event.type === "finished" ? { progress: event.progress } : {},
    ),
    complain: assign(({ event }) => (event.type === "failed" ? { message: event.message } : {})),
    forget: assign({ target: null, progress: null }),
  },
}).createMachine({
  id: "sweep",
  context: ({ input }) => ({
    connect: input.connect,
    target: null,
    request: null,
    progress: null,
    message: "",
    before: null,
  }),
  initial: "idle",
  on: { start: { target: ".running", reenter: true, actions: "begin" } },
  states: {
    idle: {},
    running: {
      invoke: {
        id: "port",
        src: "port",
        input: ({ context }) => {
          if (context.request === null) throw new Error("assertion failed: a sweep begins with a request");
          return { connect: context.connect, request: context.request };
        },
      },
      initial: "going",
      states: {
        going: { on: { pause: { target: "paused", actions: sendTo("port", { type: "pause" }) } } },
        paused: { on: { resume: { target: "going", actions: sendTo("port", { type: "resume" }) } } },
      },
      on: {
        progress: { actions: "take" },
        finished: { target: "done", actions: "take" },
        failed: { target: "failed", actions: "complain" },
        cancel: "stopped",
        left: { target: "idle", actions: "forget" },
      },
    },
    done: {},
    /** By hand: what is told covers only a part. */
    stopped: { on: { left: { target: "idle", actions: "forget" } } },
    failed: { on: { left: { target: "idle", actions: "forget" } } },
  },
});

/** What was known before a new sweep begins. Sweeping the same again keeps what another run came to. */
function resultBefore({ target, progress, before }: Context, next: SweepTarget): SweepResult | null {
  if (target === null || progress === null || progress.done < progress.total) return before;
  const same = target.scenario === next.scenario && target.branch === next.branch;
  return same ? before : { target, totals: progress.totals };
}

export type SweepActor = ActorRefFrom<typeof sweepMachine>;
