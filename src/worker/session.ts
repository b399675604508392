/**
 * Requests in, replies out, in slices: a long run never keeps the thread for long, and what has been computed is shown
 * meanwhile. What the page does with more of a run costs it in proportion to the run so far: it is sent more whenever the
 * run has grown by a part, so that a run ten times as long costs ten times as much and not a hundred. No worker globals here; `entry.ts` ties it to a worker, `in-process.ts` to the page's own thread.
 */
import { isWhole, needsLateParts } from "../engine/late-parts.ts";
import { Timeline } from "../engine/timeline.ts";
import type { BranchId, Reply, Request } from "./port.ts";

/** Entries between two looks at the clock, and the milliseconds of wall time that a slice may take. */
const LOOK = 256;
/** Entries that are judged in one go: some milliseconds. */
const ENTRIES = 4096;
/** A branch is sent when it has grown by this part of itself, or when nothing has been told for so many milliseconds. */
const PART = 1 / 8;
const LONGEST = 250;

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
  private readonly paused = new Set<BranchId>();
  private toldAt = 0;
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
      else if (request.session !== this.session) return;
      else if (request.type === "fork") this.fork(request);
      else this.halt(request);
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
    this.paused.clear();
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
    this.goOn(branch);
  }

  private goOn(branch: BranchId): void {
    this.running.unshift(branch);
    this.schedule();
  }

  private halt({ type, branch }: Request & { type: "pause" | "resume" }): void {
    if (type === "resume") {
      if (this.paused.delete(branch)) this.goOn(branch);
      return;
    }
    this.paused.add(branch);
    const place = this.running.indexOf(branch);
    if (place < 0) return;
    this.running.splice(place, 1);
    this.send(branch);
    this.host.reply({ type: "paused", session: this.session, branch }, []);
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
    const isOver = timeline.ended(branch) !== null;
    if (isOver || this.hasGrown(branch)) this.send(branch);
    if (isOver) this.finish(branch);
    this.schedule();
  }

  private hasGrown(branch: BranchId): boolean {
    const { length = 0 } = this.timeline?.branches[branch]?.log ?? {};
    const grown = length - (this.sent.get(branch) ?? 0);
    return grown >= length * PART || this.isDue();
  }

  /** Has nothing been told for long? */
  private isDue(): boolean {
    const now = this.host.now();
    if (now - this.toldAt < LONGEST) return false;
    this.toldAt = now;
    return true;
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
    const { session } = this;
    const wanted = (): boolean => this.timeline === timeline && !this.paused.has(branch);
    while (wanted() && judge.advance(ENTRIES)) {
      if (this.isDue()) this.host.reply({ type: "judged", session, branch, entries: judge.entries }, []);
      await new Promise<void>((resolve) => {
        this.host.later(resolve);
      });
    }
    if (this.timeline !== timeline) return;
    if (!wanted()) return this.host.reply({ type: "paused", session, branch }, []);
    const { report, violations } = judge.conclusion();
    const [violation] = violations;
    if (violation !== undefined) this.host.reply({ type: "violated", session, branch, violation }, []);
    this.host.reply({ type: "ended", session, branch, report }, []);
    // The page has it; here it would only take memory, and can be made again.
    timeline.release(branch);
  }

  private send(branch: BranchId): void {
    const log = this.timeline?.branches[branch]?.log;
    const from = this.sent.get(branch) ?? 0;
    if (log === undefined || log.length <= from) return;
    const chunk = log.chunk(from);
    this.sent.set(branch, log.length);
    this.toldAt = this.host.now();
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
  return request.type === "fork" || (request.type === "open" && needsLateParts(request.scenario));
}

const SLICE = 8;
