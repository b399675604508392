/**
 * The first minute of a first visit (what is said and asked, and where the run stops for it). Everything shown is the run
 * itself: the script only plays it, stops it, and makes the fault that anybody could make. Where nobody answers it goes on
 * by itself; whoever does something else has the page for himself.
 */
import { createStore } from "zustand/vanilla";
import { at } from "../../base/assert.ts";
import type { DeliveryRow, Report } from "../../scenario/report.ts";
import type { Controller } from "../controller.ts";
import { reducedMotion } from "../player.ts";
import { prettyJson } from "../pretty-json.ts";
import type { Settings, Speed } from "../settings.ts";
import { appStore, branchOf } from "../store.ts";
import type { Guess } from "../text/en-tour.ts";
import { currentTourText } from "../text/tour-text.ts";
import { type Places, nextOf, placesOf, processedTwice, stoppedAt } from "./places.ts";
import { places as fieldsOf } from "../../projection/fields.ts";

export type Scene = "watch" | "kill" | "question" | "crash" | "settled" | "drag" | "plain" | "why" | "doors";
export type Choice = "next" | "kill" | "plain" | "why" | Guess;

export interface TourState {
  readonly scene: Scene;
  /** Of `STEPS`. */
  readonly number: number;
  readonly lines: readonly string[];
  /** The subtask to click. */
  readonly victim: number | null;
  /** The one under way. */
  readonly tour: Tour | null;
}

export const STEPS = 8;

export const tourStore = createStore<TourState>()(() => ({
  scene: "watch",
  number: 1,
  lines: [],
  victim: null,
  tour: null,
}));

/** Somebody who does nothing for so long, in milliseconds, is shown the rest. */
const PATIENCE = 12_000;
/** Slow until somebody has seen what moves; a recovery has long waits. */
const SPEEDS = { first: 0.5, recovery: 4, plain: 8 } as const;

/** Where nobody answers it goes on by itself, half as fast: whoever only looks has the time to read. */
const HALF = { 0.5: 0.25, 4: 2, 8: 4 } as const satisfies {
  readonly [S in (typeof SPEEDS)[keyof typeof SPEEDS]]: Speed;
};

class Over extends Error {}

const stateRestored = fieldsOf("StateRestored");

/** The script under way. `choose` answers what it waits for. */
export class Tour {
  private readonly controller: Controller;
  private readonly text = currentTourText();
  private readonly before = appStore.getState().settings;
  private timer = 0;
  private answer: ((choice: Choice | null) => void) | null = null;
  private over = false;
  /** Nobody answered what was asked last. */
  private unattended = false;
  /** What the script itself has opened; anything else is somebody's own. */
  private own: { session: number; branch: number };
  private readonly stops: (() => void)[] = [];

  constructor(controller: Controller) {
    this.controller = controller;
    const { session, branch } = appStore.getState();
    this.own = { session: session?.number ?? 0, branch };
  }

  choose(choice: Choice): void {
    this.answer?.(choice);
  }

  end(): void {
    if (this.over) return;
    this.abandon();
    appStore.setState({ tour: false });
  }

  /** Nothing shows it any more. */
  abandon(): void {
    if (this.over) return;
    this.over = true;
    for (const stop of this.stops) stop();
    this.answer?.(null);
    const { speed, dock, outcomeStrip } = this.before;
    this.only({ speed, dock, outcomeStrip });
  }

  async run(): Promise<void> {
    this.stops.push(appStore.subscribe(() => this.watch()));
    try {
      await this.play();
    } catch (error) {
      if (!(error instanceof Over)) throw error;
    }
  }

  /** Ends where somebody opens something else. */
  private watch(): void {
    const { menu, dialog, session, branch } = appStore.getState();
    const { own } = this;
    const elsewhere = session !== null && (session.number > own.session || branch > own.branch);
    if (menu !== null || dialog !== null || elsewhere) this.end();
  }

  private async play(): Promise<void> {
    const { lines } = this.text;
    this.speed(SPEEDS.first);
    const places = await this.until(() => placesOf(this.run_()));
    this.say("watch", 1, lines.running(this.run_().graph.taskManagers.length));
    if (appStore.getState().step < places.first) this.controller.player.seek(places.first);
    performance.mark("first-visit: moving");
    await this.reach(places.barrier);
    performance.mark("first-visit: barrier");
    this.say("watch", 2, lines.barrier(places.checkpoint));
    await this.reach(places.kill);
    const guess = await this.crash(places);
    const report = await this.toEnd(places);
    this.settle(report, guess);
    await this.wait(PATIENCE);
    this.only({ dock: "timeline", outcomeStrip: true });
    this.say("drag", 7, this.text.lines.drag);
    await this.wait(PATIENCE);
    await this.withoutTransactions(places);
    if ((await this.wait(PATIENCE)) === "why") document.querySelector<HTMLElement>("#why")?.click();
    this.say("doors", STEPS, this.text.lines.doors);
  }

  /** The click, the question, and the fault. */
  private async crash({ victim }: Places): Promise<Guess | null> {
    const { lines } = this.text;
    const name = this.nameOf(victim);
    this.say("kill", 3, lines.kill(name));
    tourStore.setState({ victim });
    await this.wait(PATIENCE);
    tourStore.setState({ victim: null });
    this.say("question", 4, lines.question);
    const guess = await this.wait(PATIENCE);
    this.own = { ...this.own, branch: appStore.getState().session?.branches.length ?? 1 };
    performance.mark("first-visit: failure");
    this.controller.inject({
      do: "fail-task",
      target: name,
      rpc: null,
      checkpoint: null,
      count: 1,
      for: null,
    });
    return guess === "none" || guess === "few" || guess === "all" ? guess : null;
  }

  /** From the crash on until everything is quiet again. */
  private async toEnd({ victim, kill, checkpoint }: Places): Promise<Report> {
    const { lines } = this.text;
    const stopped = await this.until(() => stoppedAt(this.run_().log, victim, kill));
    this.say("crash", 5, lines.failed(this.nameOf(victim)));
    this.speed(SPEEDS.recovery);
    await this.reach(stopped);
    const rewound = await this.until(() => nextOf(this.run_().log, "SourceRewound", stopped));
    await this.reach(rewound);
    const back = await this.until(() => nextOf(this.run_().log, "StateRestored", stopped));
    const restored = this.run_().log.field(back, stateRestored.checkpoint);
    this.say("crash", 6, lines.rewound(checkpoint, restored));
    const report = await this.until(() => branchOf(appStore.getState())?.report ?? null);
    const first = await this.until(() => nextOf(this.run_().log, "RecordProcessed", rewound));
    await this.reach(first);
    this.say("crash", 6, lines.again);
    await this.reach(this.run_().log.length - 1);
    return report;
  }

  private settle(report: Report, guess: Guess | null): void {
    const { lines, guessed } = this.text;
    const seen = committed(report);
    this.say(
      "settled",
      7,
      lines.settled(seen.lost.length, seen.duplicated.length, processedTwice(this.run_())),
      lines.expected(seen.expected, seen.seen),
      ...(guess === null ? [] : [guessed[guess]]),
    );
  }

  /** The same job and the same crash, with a sink that only writes. */
  private async withoutTransactions({ kill, victim }: Places): Promise<void> {
    const { session } = appStore.getState();
    if (session === null) return;
    const { lines } = this.text;
    this.only({ outcomeStrip: false });
    const text = plainly(session.text, this.nameOf(victim), countedBy(this.run_(), victim, kill));
    const { parseScenario } = await import("../../scenario/parse.ts");
    const parsed = parseScenario(text);
    if (!parsed.ok || this.over) return;
    this.own = { ...this.own, session: session.number + 1 };
    this.controller.open({ scenario: parsed.value, text, library: null }, { keepTime: false, play: false });
    this.say("plain", 8, lines.plain);
    await this.until(() => appStore.getState().session?.number === this.own.session || null);
    const report = await this.until(() => branchOf(appStore.getState())?.report ?? null);
    this.speed(SPEEDS.plain);
    await this.reach(this.run_().log.length - 1);
    this.only({ outcomeStrip: true });
    this.say("why", 8, lines.doubled(committed(report).duplicated.length));
  }

  private run_(): NonNullable<ReturnType<typeof branchOf>>["run"] {
    const branch = branchOf(appStore.getState());
    if (branch === null) throw new Over();
    return branch.run;
  }

  private nameOf(subtask: number): string {
    return at(this.run_().graph.subtasks, subtask).name;
  }

  private say(scene: Scene, number: number, ...lines: readonly string[]): void {
    if (!this.over) tourStore.setState({ scene, number, lines });
  }

  private speed(speed: keyof typeof HALF): void {
    this.only({ speed: this.unattended ? HALF[speed] : speed });
  }

  /** Only while the script runs: nobody chose it, so it is not kept. */
  private only(change: Partial<Settings>): void {
    appStore.setState(({ settings }) => ({ settings: { ...settings, ...change } }));
  }

  /** Somebody tries something out: it goes on when he says so. */
  hold(): void {
    clearTimeout(this.timer);
  }

  /** Plays up to an entry; without motion it is shown at once, and held until somebody goes on. */
  private async reach(step: number): Promise<void> {
    if (appStore.getState().step >= step) return;
    if (reducedMotion()) {
      this.controller.goTo(step);
      await this.wait(PATIENCE);
      return;
    }
    const there = (): true | null => (appStore.getState().step >= step ? true : null);
    for (;;) {
      this.controller.player.runTo(step);
      // Somebody who stops it may look for as long as he likes; then it goes on.
      if ((await this.until(() => there() ?? (appStore.getState().playback === "paused" ? "paused" : null))) === true)
        return;
      await this.wait(PATIENCE);
    }
  }

  /** The answer; `null`: nobody gave one in time. */
  private async wait(patience: number): Promise<Choice | null> {
    const choice = await new Promise<Choice | null>((resolve) => {
      this.timer = window.setTimeout(resolve, patience, null);
      this.answer = (given) => {
        clearTimeout(this.timer);
        resolve(given);
      };
    });
    this.answer = null;
    this.unattended = choice === null;
    if (this.over) throw new Over();
    return choice;
  }

  /** What `tell` gives, as soon as it gives something. */
  private until<T>(tell: () => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = appStore.subscribe(() => look());
      this.stops.push(() => {
        stop();
        reject(new Over());
      });
      const look = (): void => {
        if (this.over) return;
        const told = appStore.getState().session === null ? null : tell();
        if (told === null) return;
        stop();
        resolve(told);
      };
      look();
    });
  }
}

/** The reader that sees what is committed; of a plain sink too. */
function committed({ delivery }: Report): DeliveryRow {
  return delivery.find(({ reader }) => reader === "read_committed") ?? at(delivery, 0);
}

/** How many records a task has processed up to a step. */
function countedBy({ log }: ReturnType<Tour["run_"]>, victim: number, step: number): number {
  let count = 0;
  for (let entry = nextOf(log, "RecordProcessed", 0); entry !== null && entry <= step;) {
    if (log.field(entry, 0) === victim) count++;
    entry = nextOf(log, "RecordProcessed", entry + 1);
  }
  return count;
}

interface Written {
  readonly job: { readonly vertices: readonly { readonly type: string }[] };
}

/** The scenario with a sink that writes at once, and the crash in it. */
function plainly(text: string, target: string, nth: number): string {
  const document = JSON.parse(text) as Written;
  const vertices = document.job.vertices.map((vertex) =>
    vertex.type === "kafka-sink" ? { ...vertex, delivery: "at-least-once" } : vertex,
  );
  const crash = { at: { after: "RecordProcessed", subtask: target, nth }, do: "fail-task", target };
  return prettyJson({ ...document, job: { ...document.job, vertices }, faults: [crash] });
}
