/**
 * Where nothing is promised of a lake table's reader: its committer finds out by the table what it had committed, and a
 * table can have forgotten that (its snapshots have expired), keep it under a job id that the new job has not, or get it
 * later than it was asked, by a request that its sender has not lived to see answered (apache/iceberg#3647, #16008,
 * #14425). A file that is listed twice for any other reason is a defect, as the ledger tells (INV-120).
 */
import { faultVerbs } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { ofCommits } from "./jobs.ts";
import type { Subject, Watch } from "./watch.ts";

const EXPIRE = faultVerbs.indexOf("expire-table-snapshots");

export class Tables implements Subject {
  static readonly ids = [] as const;
  private readonly watch: Watch;
  /** Can the table not know all that was committed? */
  private forgets: boolean;
  /** Is a request on its way, as far as its sender knows? */
  private asked: boolean;

  constructor(watch: Watch, from: Tables | null = null) {
    this.watch = watch;
    this.forgets = from?.forgets ?? false;
    this.asked = from?.asked ?? false;
  }

  clone(watch: Watch): Tables {
    return new Tables(watch, this);
  }

  nextJob(watch: Watch, k: Kernel): Tables {
    const next = new Tables(watch, this);
    const isFresh = k.chain.some(({ command }) => command >= 0 && k.commands[command]?.jobId !== "same");
    const byJob = watch.plan.scenario.job.vertices.some(
      (vertex) => vertex.type === "table-sink" && vertex.remembers === "job-operator-checkpoint",
    );
    if (isFresh && byJob) next.forgets = true;
    return next;
  }

  FaultInjected(_: Kernel, verb: number): void {
    if (verb === EXPIRE) this.forgets = true;
  }

  TableCommitRequested(): void {
    this.asked = true;
  }

  TableCommitted(): void {
    this.asked = false;
  }

  TaskStopped(): void {
    if (this.asked) this.forgets = true;
  }

  DataFileListedAgain(): void {
    if (this.forgets) this.watch.waive(ofCommits);
  }
}
