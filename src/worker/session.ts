/**
 * Requests in, replies out, in slices: a long run never keeps the thread for long, and what has been computed is shown
 * meanwhile. No worker globals here; `entry.ts` ties it to a worker, `in-process.ts` to the page's own thread.
 */
import { isWhole, isLateCommand, needsLateParts } from "../engine/late-parts.ts";
import { Timeline } from "../engine/timeline.ts";
import type { BranchId, Reply, Request } from "./port.ts";

/** Entries between two looks at the clock, and the milliseconds of wall time that a slice may take. */
const LOOK = 256;
/** Entries that are judged in one go: some milliseconds. */
const ENTRIES = 4096;

export interface SessionHost {
  /** Sends a reply; `transfer` may be handed over without a copy. */
  reply(reply: Reply, transfer: readonly ArrayBuffer[]): void;
  /** Calls `work` soon, after whatever else waits. */
  later(work: () => void): void;
  /** Wall time in milliseconds. */
  now(): number;
}

export class EngineSession {
  private readonly host: SessionHost;
  private session = -1;
  private timeline: Timeline | null = null;
  private checkInvariants = false;
  /** Entries of each branch that have been sent. */
  private readonly sent = new Map<BranchId, number>();
  private readonly running: BranchId[] = [];
  private scheduled = false;
  /** Requests that wait for parts of the engine. */
  private readonly waiting: Request[] = [];

  constructor(host: SessionHost) {
    this.host = host;
  }

  handle(request: Request): void {
    if (this.waiting.length > 0 || (needsWhole(request) && !isWhole())) {
      this.waiting.push(request);
      if (this.waiting.length === 1) this.fetchWhole().catch((error: unknown) => this.die(error));
      return;
    }
    this.guard(() => {
      if (request.type === "open") this.open(request);
      else if (request.session === this.session) this.fork(request);
    });
  }

  /** What came meanwhile is handled in its order once the rest of the engine is there. */
  private async fetchWhole(): Promise<void> {
    const { completeEngine } = await import("../engine/whole.ts");
    completeEngine();
    for (const request of this.waiting.splice(0)) this.handle(request);
  }

  /** Without its parts the engine can do nothing more: thrown where the page sees it, which offers to start again. */
  private die(cause: unknown): void {
    this.waiting.length = 0;
    this.host.later(() => {
      throw new Error("Parts of the engine could not be fetched.", { cause });
    });
  }

  private open(request: Request & { type: "open" }): void {
    this.session = request.session;
    this.timeline = null;
    this.running.length = 0;
    this.sent.clear();
    this.timeline = new Timeline(request.scenario);
    this.checkInvariants = request.checkInvariants;
    this.host.reply({ type: "opened", session: this.session }, []);
    this.start(0, 0);
  }

  private fork({ branch, step, command }: Request & { type: "fork" }): void {
    if (this.timeline === null) return;
    const child = this.timeline.fork(branch, step, command);
    this.host.reply(
      { type: "forked", session: this.session, branch: { id: child.id, parent: branch, step, command } },
      [],
    );
    this.start(child.id, step);
  }

  private start(branch: BranchId, step: number): void {
    this.sent.set(branch, step);
    this.running.unshift(branch);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.host.later(() => {
      this.scheduled = false;
      this.guard(() => this.slice());
    });
  }

  /** Works on the newest branch for a moment, then sends what there is. */
  private slice(): void {
    const { timeline } = this;
    const branch = this.running[0];
    if (timeline === null || branch === undefined) return;
    const end = this.host.now() + SLICE;
    while (this.host.now() < end) {
      for (let i = 0; i < LOOK && timeline.extend(branch); i++);
      if (timeline.ended(branch) !== null) break;
    }
    this.send(branch);
    if (timeline.ended(branch) !== null) this.finish(branch);
    this.schedule();
  }

  private finish(branch: BranchId): void {
    this.running.splice(this.running.indexOf(branch), 1);
    const { timeline } = this;
    if (timeline === null) return;
    this.conclude(timeline, branch).catch((error: unknown) => {
      if (this.timeline === timeline) this.fail(error, branch);
    });
  }

  /** What judges a run is fetched with the first end; the session answers meanwhile. */
  private async conclude(timeline: Timeline, branch: BranchId): Promise<void> {
    const { Judge } = await import("../engine/judge.ts");
    const judge = new Judge(timeline, branch, this.checkInvariants);
    while (this.timeline === timeline && judge.advance(ENTRIES))
      await new Promise<void>((resolve) => {
        this.host.later(resolve);
      });
    if (this.timeline !== timeline) return;
    const { session } = this;
    const { report, violations } = judge.conclusion();
    const [violation] = violations;
    if (violation !== undefined) this.host.reply({ type: "violated", session, branch, violation }, []);
    this.host.reply({ type: "ended", session, branch, report }, []);
  }

  private send(branch: BranchId): void {
    const log = this.timeline?.branches[branch]?.log;
    const from = this.sent.get(branch) ?? 0;
    if (log === undefined || log.length <= from) return;
    const chunk = log.chunk(from);
    this.sent.set(branch, log.length);
    this.host.reply({ type: "appended", session: this.session, branch, chunk }, [chunk.rows.buffer, chunk.pool.buffer]);
  }

  /** Turns a mistake of ours into a reply that lets it be seen again; the session goes on answering. */
  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error, this.running[0] ?? 0);
    }
  }

  private fail(error: unknown, branch: BranchId): void {
    this.running.length = 0;
    const message = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
    if (this.timeline === null) throw error;
    this.send(branch);
    const { scenario } = this.timeline;
    const reproduction = {
      scenario,
      decisions: this.timeline.decisions(branch),
      step: this.timeline.branches[branch]?.log.length ?? 0,
    };
    this.host.reply({ type: "failed", session: this.session, message, reproduction }, []);
  }
}

function needsWhole(request: Request): boolean {
  return request.type === "open" ? needsLateParts(request.scenario) : isLateCommand(request.command);
}

const SLICE = 8;
