/** The log with names: the contract's trace (its section 3). */
import { eventRules } from "./event-rules.ts";
import { eventSentences } from "./event-sentences.ts";
import { describe, expect, test } from "vitest";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { type Story, after, story } from "../engine/testing/stories.ts";
import { eventTypes, events } from "./events.ts";
import type { FieldKind } from "./field-kinds.ts";
import { edgesOf } from "./machine.ts";
import { machines } from "./machines/all.ts";
import { traceLines } from "./trace.ts";

const fieldsOf = (type: (typeof eventTypes)[number]): Record<string, FieldKind> =>
  events[type].fields as Record<string, FieldKind>;
const runs: readonly Story[] = [
  story(libraryScenario("order-totals")),
  story(
    withFaults("linear", [
      after("CheckpointAcknowledged", { subtask: "SNK[0]", checkpoint: 2 }, "kill-taskmanager", { target: "tm-2" }),
    ]),
  ),
  story(
    withFaults("shuffle", [
      after("TransactionPreCommitted", { checkpoint: 2 }, "expire-transaction", { target: "SNK[0]" }),
    ]),
  ),
];

describe("what can be relied on for matching", () => {
  const having = (pattern: RegExp, kind: FieldKind, field: string): string[] =>
    eventTypes.filter((type) => pattern.test(type) && fieldsOf(type)[field] !== kind);

  test("checkpoint is on everything about checkpoints, snapshots, barriers, alignment, channels, notifications and transactions", () => {
    expect(
      having(/^(Checkpoint|Snapshot|Barrier|Alignment|Channel|Notification|Transaction)/, "checkpoint", "checkpoint"),
    ).toEqual([]);
  });

  test("subtask is on everything that happens at one, acknowledgements and notifications included", () => {
    expect(
      having(
        /^(Record|Barrier|Channel|Alignment|CancelMarker|Snapshot|Notification|Task(State|Stop|Fail)|CheckpointAck|CheckpointDecl|Acknowledgement|State|Source|Attempt)/,
        "subtask",
        "subtask",
      ),
    ).toEqual([]);
  });

  test("channel is on barriers and channels, transaction on transactions, record on records, from and to on states, taskManager where one is concerned", () => {
    expect(having(/^(Barrier|Channel)/, "channel", "channel")).toEqual([]);
    expect(having(/^Transaction/, "transaction", "transaction")).toEqual([]);
    expect(having(/^Record/, "record", "record")).toEqual([]);
    for (const type of ["TaskStateChanged", "JobStatusChanged"] as const)
      expect(Object.keys(fieldsOf(type))).toEqual(expect.arrayContaining(["from", "to"]));
    expect(having(/^TaskManager|^TaskStateChanged$/, "taskManager", "taskManager")).toEqual([]);
  });

  test("vertex comes with every subtask and operator: an operator's own, else the head of the subtask's chain", () => {
    const [run] = runs;
    if (run === undefined) throw new Error("there are runs");
    for (const entry of run.entries) {
      const kinds = Object.values(fieldsOf(entry.type));
      if (kinds.includes("subtask") || kinds.includes("operator")) expect("vertex" in entry, entry.type).toBe(true);
    }
    expect(run.first("RecordWritten")).toMatchObject({ subtask: "out[0]", vertex: "out" });
    expect(run.first("BarrierEmitted")).toMatchObject({
      subtask: "orders[0]",
      vertex: "orders",
      channel: "orders[0]->total[0]",
    });
  });

  test("submission is on all of them", () => {
    for (const run of runs) expect(new Set(run.entries.map(({ submission }) => submission))).toEqual(new Set([0]));
  });
});

describe("each line", () => {
  test("is JSON on a line of its own, in order, with a cause that came before it", () => {
    for (const { result, entries } of runs) {
      const lines = [...traceLines(result.graph, result.log)];
      expect(lines.every((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toBe(true);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(entries);
      entries.forEach(({ step, clock, cause }, i) => {
        if (step !== i || clock < (entries[i - 1]?.clock ?? 0)) throw new Error(`entry ${i} is out of order`);
        if (cause !== null && !(Number(cause) < step))
          throw new Error(`entry ${i} has a cause ${Number(cause)} that comes later`);
      });
    }
  });

  test("names every move by an edge of its table, and each thing moves on from where it was", () => {
    const where = new Map<string, string>();
    const broken: string[] = [];
    for (const run of runs) {
      where.clear();
      for (const entry of run.entries) {
        if (entry.type === "AttemptCreated")
          for (const machine of ["ExecutionState", "BarrierHandler"])
            where.delete(`${machine} ${entry["subtask"] as string}`);
        if (entry.type === "TransactionBegun") where.delete(`Transaction ${entry["transaction"] as string}`);
        for (const { machine, instance, from, to } of entry["moves"] as {
          machine: string;
          instance: string;
          from: string;
          to: string;
        }[]) {
          const table = machines.find(({ name }) => name === machine);
          const known = where.get(`${machine} ${instance}`) ?? table?.initial;
          const legal = table !== undefined && edgesOf(table).some((edge) => edge.from === from && edge.to === to);
          if (!legal || known !== from)
            broken.push(`${entry.step} ${machine} ${instance}: ${from} > ${to}, was ${known ?? "nothing"}`);
          where.set(`${machine} ${instance}`, to);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  test("has no number in the place of a name", () => {
    const named: readonly FieldKind[] = [
      "subtask",
      "operator",
      "channel",
      "taskManager",
      "record",
      "input",
      "output",
      "transaction",
      "jobStatus",
      "executionState",
      "ending",
      "failure",
      "reason",
      "decider",
      "rpc",
    ];
    for (const { entries } of runs) {
      for (const entry of entries) {
        for (const [field, kind] of Object.entries(fieldsOf(entry.type))) {
          const value = entry[kind === "operator" ? "vertex" : field];
          if (named.includes(kind) && value !== null && typeof value !== "string")
            throw new Error(`${entry.type}.${field} is ${JSON.stringify(value)}`);
        }
      }
    }
  });
});

test("every event has one sentence, and names a rule of the specification or none", () => {
  for (const type of eventTypes) {
    expect(eventSentences[type], type).toMatch(/^[A-Z].*\.$/);
    expect(eventRules[type], type).toMatch(/^((CP|FR|SK|KF|INV)-\d{2,3}[a-z]?)?$/);
  }
});
