/**
 * Runs beside the one on screen, in an engine of their own: the same scenario with the same decisions, and one more that
 * acts at some step. They leave the session's branches as they are.
 */
import { EventLog } from "../../protocol/log.ts";
import type { Report } from "../../scenario/report.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import type { BranchId, Decision, Reply } from "../../worker/port.ts";
import type { EngineConnection } from "../link.ts";

export interface OtherRun {
  readonly log: EventLog;
  readonly report: Report;
}

interface Made {
  readonly log: EventLog;
  report: Report | null;
}

interface Asked {
  readonly step: number;
  readonly command: Command;
  readonly answer: (run: OtherRun | null) => void;
}

/** The only session of the engine. */
const SESSION = 1;
/** After so many runs the engine begins anew: it keeps what it has made. */
const MOST = 400;

export class OtherRuns {
  private readonly connect: () => EngineConnection;
  private readonly scenario: Scenario;
  private readonly decisions: readonly Decision[];
  private engine: EngineConnection | null = null;
  private readonly made: Made[] = [];
  /** The branch that other runs leave. */
  private base: BranchId = 0;
  private ahead: Decision[] = [];
  private waiting: Asked[] = [];
  /** Who waits for the run without anything more. */
  private readonly awaited: ((run: OtherRun | null) => void)[] = [];
  private readonly open = new Map<BranchId, Asked>();
  /** Sent, and not yet a branch: what was asked, or a decision on the way to the base. */
  private sent: Asked | "way" | null = null;

  constructor(connect: () => EngineConnection, scenario: Scenario, decisions: readonly Decision[]) {
    this.connect = connect;
    this.scenario = scenario;
    this.decisions = decisions;
  }

  /** The run in which the command acts before the entry at `step`; `null`: the engine is gone, or something newer was asked. */
  ask(step: number, command: Command): Promise<OtherRun | null> {
    return new Promise((answer) => {
      this.waiting.push({ step, command, answer });
      this.begin();
      this.next();
    });
  }

  /** The run with the decisions alone, to its end; `null`: the engine is gone. */
  whole(): Promise<OtherRun | null> {
    return new Promise((answer) => {
      this.awaited.push(answer);
      this.begin();
      this.tellWhole();
    });
  }

  private tellWhole(): void {
    const made = this.made[this.base];
    if (made === undefined || made.report === null || this.ahead.length > 0 || this.sent === "way") return;
    const run = { log: made.log, report: made.report };
    for (const answer of this.awaited.splice(0)) answer(run);
  }

  /** Forgets what was asked and has not begun. */
  forget(): void {
    for (const { answer } of this.waiting.splice(0)) answer(null);
  }

  close(): void {
    this.engine?.close();
    this.engine = null;
    this.forget();
    for (const { answer } of this.open.values()) answer(null);
    if (this.sent !== null && this.sent !== "way") this.sent.answer(null);
    for (const answer of this.awaited.splice(0)) answer(null);
    this.open.clear();
    this.sent = null;
    this.made.length = 0;
  }

  private begin(): void {
    if (this.engine !== null && this.made.length < MOST) return;
    if (this.engine !== null) {
      const { waiting } = this;
      this.waiting = [];
      this.close();
      this.waiting = waiting;
    }
    const engine = this.connect();
    this.engine = engine;
    this.base = 0;
    this.ahead = [...this.decisions];
    this.made.push({ log: new EventLog(), report: null });
    engine.subscribe((reply) => {
      if (this.engine === engine) this.take(reply);
    });
    engine.onDeath(() => {
      if (this.engine === engine) this.close();
    });
    engine.send({ type: "open", session: SESSION, scenario: this.scenario, checkInvariants: false });
  }

  /** Sends what can be sent: a decision on the way to the base, or what was asked first. */
  private next(): void {
    const { log } = this.made[this.base] as Made;
    const [decision] = this.ahead;
    if (decision !== undefined) {
      if (log.length < decision.step || this.sent !== null) return;
      this.ahead.shift();
      this.sent = "way";
      this.engine?.send({ type: "fork", session: SESSION, branch: this.base, ...decision });
      return;
    }
    const [asked] = this.waiting;
    if (asked === undefined || this.sent !== null || log.length < asked.step) return;
    this.waiting.shift();
    this.sent = asked;
    const { step, command } = asked;
    this.engine?.send({ type: "fork", session: SESSION, branch: this.base, step, command });
  }

  private take(reply: Reply): void {
    switch (reply.type) {
      case "forked": {
        const { id, parent, step } = reply.branch;
        const before = this.made[parent ?? 0] as Made;
        this.made[id] = { log: new EventLog(before.log, step), report: null };
        if (this.sent === "way") this.base = id;
        else if (this.sent !== null) this.open.set(id, this.sent);
        this.sent = null;
        break;
      }
      case "appended":
        this.made[reply.branch]?.log.appendChunk(reply.chunk);
        break;
      case "ended": {
        const made = this.made[reply.branch];
        const asked = this.open.get(reply.branch);
        this.open.delete(reply.branch);
        if (made === undefined) break;
        made.log.fit();
        made.report = reply.report;
        asked?.answer({ log: made.log, report: reply.report });
        this.tellWhole();
        break;
      }
      case "failed":
        return this.close();
      default:
        break;
    }
    this.next();
  }
}
