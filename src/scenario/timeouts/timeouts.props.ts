/** The calculator's arithmetic against the engine: figures drawn at random, the run played, both told the same loss. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { type TraceEntry, traceEntries } from "../../protocol/trace.ts";
import { scenarioFrom } from "../parse.ts";
import { outcomeOf, type TimeoutsOutcome } from "./first-loss.ts";
import { inequalitiesOf } from "./inequalities.ts";
import { playOf } from "./play.ts";
import { type TimeoutField, type Timeouts, bounds, outOfBounds } from "./timeouts.ts";

const numRuns = process.env["BARRIERSCOPE_LONG"] === "1" ? 20_000 : 400;

const fields = Object.keys(bounds) as TimeoutField[];

const usual = (low: number, high: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: low, max: high }),
    fc.integer({ min: low, max: Math.min(high, low + 300) }),
    fc.integer({ min: 1, max: 12 }).map((k) => Math.max(low, Math.min(high, k * 500))),
  );

const figures: fc.Arbitrary<Timeouts> = fc.record({
  interval: usual(100, 5000),
  duration: usual(5, 4000),
  checkpointTimeout: fc.oneof(usual(10, 6000), fc.constant(600_000)),
  attempts: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(2_147_483_647)),
  delay: usual(0, 3000),
  detection: usual(0, 6000),
  outage: usual(1, 12_000),
  slotTimeout: fc.oneof(usual(100, 3000), fc.constant(300_000)),
  redeploy: usual(0, 2000),
  transactionTimeout: usual(10, 20_000),
  brokerLimit: fc.oneof(usual(1, 20_000), fc.constant(900_000), fc.constant(900_000)),
  cleanup: fc.oneof(fc.constantFrom(1, 10, 100, 10_000), usual(1, 10_000)),
});

type Entries = readonly TraceEntry[];

/** What the run shows: its first loss, or a failure that comes again before anything is complete; and what was lost. */
function played(timeouts: Timeouts): {
  readonly outcome: object;
  readonly lost: readonly string[];
  readonly entries: Entries;
} {
  const parsed = scenarioFrom(playOf(timeouts, { en: "t", zh: "t" }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { graphs, log, report, violations } = runScenario(parsed.value, { checkInvariants: true });
  expect(violations).toEqual([]);
  const entries = [...traceEntries(graphs, log)];
  const lost = report.delivery.find(({ reader }) => reader === "read_committed")?.lost ?? [];
  return { outcome: loopOf(entries) ?? lossOf(entries, lost) ?? { kind: "none" }, lost, entries };
}

function loopOf(entries: Entries): object | null {
  const invalid = entries.find(({ failure }) => failure === "INVALID_TRANSACTION_TIMEOUT");
  if (invalid !== undefined) return { kind: "restart-loop", at: invalid.clock, cause: "INVALID_TRANSACTION_TIMEOUT" };
  const expired = entries.find(({ reason }) => reason === "CHECKPOINT_EXPIRED");
  if (expired === undefined || entries.some(({ type }) => type === "CheckpointCompleted")) return null;
  return { kind: "restart-loop", at: expired.clock, cause: "CHECKPOINT_FAILURE_THRESHOLD" };
}

/** By the ledger: the first of the transactions that lost records were last written to. */
function lossOf(entries: Entries, lost: readonly string[]): object | null {
  const last = (type: string, field: string, value: unknown): TraceEntry | undefined =>
    entries.findLast((entry) => entry.type === type && entry[field] === value);
  const losses = lost.map((record) => {
    const transaction = last("RecordWritten", "record", record)?.["transaction"];
    const timedOut = last("TransactionTimedOut", "transaction", transaction);
    const complete = last("CheckpointCompleted", "checkpoint", timedOut?.["checkpoint"]);
    return {
      kind: "loss",
      at: Math.max(timedOut?.clock ?? NaN, complete?.clock ?? 0),
      transaction: typeof transaction === "string" ? transaction : "",
    };
  });
  return losses.sort((a, b) => a.at - b.at || a.transaction.localeCompare(b.transaction))[0] ?? null;
}

/** The prediction without what only words tell. */
function told(outcome: TimeoutsOutcome): object {
  if (outcome.kind !== "loss") return outcome;
  const { kind, at, transaction } = outcome;
  return { kind, at, transaction };
}

test("SK-159, SK-160, KF-020: the first loss, or that there is none, is what the run comes to", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(figures, (timeouts) => {
      fc.pre(fields.every((field) => outOfBounds(timeouts, field) === null));
      const outcome = outcomeOf(timeouts);
      const key = outcome.kind === "loss" ? outcome.why : outcome.kind === "none" ? outcome.kind : outcome.cause;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      expect(played(timeouts).outcome).toEqual(told(outcome));
    }),
    { seed: 7, numRuns },
  );
  console.log(Object.fromEntries(seen));
  for (const key of [
    "none",
    "no-failure",
    "outage",
    "given-up",
    "INVALID_TRANSACTION_TIMEOUT",
    "CHECKPOINT_FAILURE_THRESHOLD",
  ])
    expect(seen.get(key), key).toBeGreaterThan(numRuns / 50);
});

test("SK-160: where the five inequalities hold nothing is lost, and what goes wrong has one of them fail", () => {
  fc.assert(
    fc.property(figures, (timeouts) => {
      fc.pre(fields.every((field) => outOfBounds(timeouts, field) === null));
      const outcome = outcomeOf(timeouts);
      const failing = inequalitiesOf(timeouts).flatMap(({ id, holds }) => (holds || id === "room" ? [] : [id]));
      expect(failing).toEqual(expect.arrayContaining(blamed(outcome)));
      expect(failing.length > 0 || outcome.kind === "none").toBe(true);
    }),
    { seed: 7, numRuns: 20 * numRuns },
  );
});

/** The inequality that an outcome comes of. */
function blamed(outcome: TimeoutsOutcome): string[] {
  if (outcome.kind === "none") return [];
  if (outcome.kind === "restart-loop")
    return [outcome.cause === "INVALID_TRANSACTION_TIMEOUT" ? "broker-limit" : "checkpoint-in-time"];
  const of = { "no-failure": "commit-in-time", outage: "outage-survived", "given-up": "restarts-outlast" } as const;
  return [of[outcome.why]];
}
