/**
 * The invariants of the specification (`INV-…`) as an observer of a run. Each subject looks at the entries it cares for
 * and keeps what it needs in small tables, so an entry costs the same however long the run is, and a clone is a few
 * copies. The first violation ends a run (`stopsRun`), unless whoever made the observer wants them all.
 *
 * Those whose conditions a scenario does not meet are waived (`invariants/conditions.ts`) and not among `checked`.
 */
import { EventNumber, eventTypes } from "../protocol/events.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Violation } from "../protocol/violation.ts";
import type { Ended } from "../scenario/report.ts";
import { type Outcome, atEndIds, judgeEnd } from "./invariants/at-end.ts";
import { Assignment } from "./invariants/assignment.ts";
import { Batches } from "./invariants/batches.ts";
import { Checkpoints } from "./invariants/checkpoints.ts";
import { waivedIn } from "./invariants/conditions.ts";
import { Cuts } from "./invariants/cut.ts";
import { Ends } from "./invariants/ends.ts";
import { Files } from "./invariants/files.ts";
import { LifeCycle } from "./invariants/life-cycle.ts";
import { Log } from "./invariants/log.ts";
import { Recovered } from "./invariants/recovered.ts";
import { Restarts } from "./invariants/restarts.ts";
import { Restores } from "./invariants/restore.ts";
import { Splits } from "./invariants/splits.ts";
import { Tables } from "./invariants/tables.ts";
import { Transactions } from "./invariants/transactions.ts";
import { type Subject, Watch } from "./invariants/watch.ts";
import type { Kernel } from "./kernel.ts";
import { Job } from "./layout.ts";
import type { Observer } from "./simulation.ts";

type Handler = NonNullable<Subject[keyof Subject]>;
interface Watcher extends Subject {
  clone(watch: Watch): Watcher;
  /** What goes on of it when another job is submitted; without it, it begins anew. */
  nextJob?(watch: Watch, k: Kernel): Watcher;
}

const subjects = [
  LifeCycle,
  Restarts,
  Checkpoints,
  Cuts,
  Files,
  Restores,
  Recovered,
  Transactions,
  Log,
  Ends,
  Assignment,
  Splits,
  Batches,
  Tables,
] as const;

const ids: readonly string[] = [
  ...new Set<string>([...subjects.flatMap((subject) => [...subject.ids]), ...atEndIds]),
].sort();

/** By event number: which subjects look at it, and how. The watch itself takes an entry in when all have seen it. */
const table: readonly (readonly { readonly subject: number; readonly handler: Handler }[])[] = eventTypes.map((type) =>
  [...subjects, Watch].flatMap(({ prototype }, subject) => {
    const handler = (prototype as Subject)[type];
    return handler === undefined ? [] : [{ subject, handler }];
  }),
);

/** What is left out breaks rules, and is meant to; so does a cut that somebody drew. */
export function areWatched(commands: readonly Pick<Command, "do">[]): boolean {
  return !commands.some(({ do: verb }) => verb === "suppress" || verb === "restore-cut");
}

export class Invariants implements Observer {
  /** Does the first violation end the run? */
  readonly stopsRun: boolean;
  private watch: Watch | null = null;
  private watchers: Watcher[] = [];

  constructor(options: { readonly stopsRun?: boolean } = {}) {
    this.stopsRun = options.stopsRun ?? true;
  }

  get violations(): readonly Violation[] {
    return this.watch?.violations ?? [];
  }

  /** Ids of the invariants that are watched in this run. */
  get checked(): readonly string[] {
    const waived = this.watch?.waived;
    return waived === undefined ? ids : ids.filter((id) => !waived.has(id));
  }

  observe(k: Kernel): void {
    const { type, fields } = k.draft;
    if (type === EventNumber.JobSubmitted) return this.beginAnew(k);
    const watch = this.watch ?? this.begin(k);
    const { watchers } = this;
    for (const { subject, handler } of table[type] ?? []) {
      handler.call(
        watchers[subject] ?? watch,
        k,
        fields[0] as number,
        fields[1] as number,
        fields[2] as number,
        fields[3] as number,
        fields[4] as number,
        fields[5] as number,
        fields[6] as number,
      );
    }
  }

  /** Every violation of a run that is over, what can only be told of the whole run included. Changes nothing. */
  atEnd(k: Kernel, outcome: Outcome, ended: Ended): readonly Violation[] {
    const watch = (this.watch ?? this.begin(k)).clone();
    const transactions = this.watchers.find((watcher) => watcher instanceof Transactions);
    if (transactions !== undefined) judgeEnd(k, watch, transactions, outcome, ended);
    return watch.violations;
  }

  private begin({ plan }: Kernel): Watch {
    const watch = new Watch(plan, waivedIn(plan.scenario));
    this.watch = watch;
    this.watchers = subjects.map((subject) => new subject(watch));
    return watch;
  }

  /** Another job: its attempts and channels are looked at from their beginning; the log and snapshots go on (`jobs.ts`). */
  private beginAnew(k: Kernel): void {
    const before = this.watch ?? this.begin(k);
    const [, , checkpoint, , , submission] = k.draft.fields;
    // One that is refused starts from nothing, whatever was found.
    const starts = (checkpoint as number) > 0 && k.world.job(Job.completed) > 0;
    const start = starts ? { submission: submission as number, checkpoint: checkpoint as number } : null;
    const watch = before.nextJob(k.plan, start);
    this.watch = watch;
    this.watchers = this.watchers.map((watcher, place) =>
      watcher.nextJob === undefined
        ? new (subjects[place] as (typeof subjects)[number])(watch)
        : watcher.nextJob(watch, k),
    );
  }

  clone(): Invariants {
    const clone = new Invariants({ stopsRun: this.stopsRun });
    if (this.watch === null) return clone;
    const watch = this.watch.clone();
    clone.watch = watch;
    clone.watchers = this.watchers.map((watcher) => watcher.clone(watch));
    return clone;
  }
}
