/** What is claimed of the records of a run in which another job is submitted. */
import { describe, expect, test } from "vitest";
import { type Story, after, counter, lane, sink, small, source, story, triggersAfter } from "../testing/stories.ts";

type Json = Record<string, unknown>;

const claims = ["INV-033", "INV-035", "INV-114", "INV-115", "INV-120", "INV-121", "INV-125", "INV-128"];

/** Checkpoints behind records 3 and 6; the job fails for good at record 9, or another does; then `restore` submits one. */
function twice(restore: Json, more: Json = {}, faults: readonly Json[] = []): Story {
  return story(
    small({
      ...lane(1),
      restart: { type: "none" },
      ...more,
      checkpointing: {
        dir: "file:///ck",
        storage: "filesystem",
        "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        "num-retained": 2,
        ...(more["checkpointing"] as Json | undefined),
      },
      faults: [
        ...triggersAfter("in-0@3", "in-0@6"),
        after("RecordEmitted", { record: "in-0@9" }, "fail-job"),
        after("JobStatusChanged", { to: "FAILED" }, "restore", restore),
        ...faults,
      ],
    }),
  );
}

/** Which of them are not claimed of the run. */
const waived = ({ report }: Story): string[] => claims.filter((id) => !report.invariants.checked.includes(id));

describe("claims that go on from job to job", () => {
  test("INV-033, INV-120, INV-121: a job that starts from the newest checkpoint: everything is claimed of both together", () => {
    const told = twice({ from: "checkpoint" });
    expect(told.report.submissions).toHaveLength(2);
    expect(waived(told)).toEqual([]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("FI-63: from an older checkpoint than a commit was for a committed reader is promised nothing, but state and a flushed sink are", () => {
    const told = twice({ from: "chk-1" });
    expect(told.report.verdict.endToEnd).toBe("at-least-once");
    expect(waived(told)).toEqual(["INV-120", "INV-121"]);
  });

  test("FI-63: an older checkpoint is as good as the newest where nothing was committed since", () => {
    const told = twice({ from: "chk-1" }, {}, [
      after("CheckpointCompleted", { checkpoint: 2 }, "lose-rpc", { rpc: "notify-complete", target: "K[0]" }),
    ]);
    expect(told.values("TransactionCommitted", "checkpoint", { submission: 0 })).toEqual([1]);
    expect(waived(told)).toEqual([]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FI-24: without state behind a commit everything comes again; the new job's own state is claimed", () => {
    const told = twice({ from: "none" });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
    expect(waived(told)).toEqual(["INV-120", "INV-121"]);
  });

  test("CP-172: what an operator had in state is left out: nothing is promised of records, of transactions neither", () => {
    const job = {
      vertices: [source("S"), counter("M2"), sink("K")],
      edges: [
        { from: "S", to: "M2", ship: "forward" },
        { from: "M2", to: "K", ship: "forward" },
      ],
    };
    const told = twice({ from: "checkpoint", allowNonRestoredState: true, job });
    expect(told.values("OperatorStateDropped", "uid")).toEqual(["M"]);
    expect(waived(told)).toEqual(["INV-033", "INV-114", "INV-120", "INV-121", "INV-125", "INV-128"]);
  });

  test("CP-065: a job that takes over an at-least-once snapshot inherits what that did not promise", () => {
    const mode = { "execution.checkpointing.mode": "EXACTLY_ONCE" };
    const told = twice({ from: "checkpoint", config: mode }, { checkpointing: { mode: "AT_LEAST_ONCE" } });
    expect(waived(told)).toEqual(["INV-033", "INV-120", "INV-121"]);
  });
});

describe("a third job that starts from the first one's checkpoint", () => {
  const first = `file:///ck/${"0".repeat(32)}/chk-2`;

  /** The second begins with nothing, and ends with its own first transaction pre-committed. `cancelled`: what ends the first. */
  const third = (transactionNaming: string, cancelled: Json): Story => {
    const { vertices, edges } = lane(1);
    const properties = { "transaction.timeout.ms": "20 s" };
    return story(
      small({
        vertices: vertices.map((vertex) =>
          vertex["uid"] === "K" ? { ...vertex, transactionNaming, properties } : vertex,
        ),
        edges,
        config: {
          "execution.checkpointing.dir": "file:///ck",
          "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        },
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          cancelled,
          after("JobStatusChanged", { to: "CANCELED", submission: 0 }, "restore", { from: "none" }),
          after("RecordEmitted", { record: "in-0@2", submission: 1 }, "trigger-checkpoint"),
          after("TransactionPreCommitted", { submission: 1 }, "cancel"),
          after("JobStatusChanged", { to: "CANCELED", submission: 1 }, "restore", { from: first }),
        ],
      }),
    );
  };
  const committedFirst = after("TransactionCommitted", { checkpoint: 2, submission: 0 }, "cancel");
  const states = (told: Story): string[] =>
    told.report.transactions.map(({ submission, id, state }) => `${submission} ${id} ${state}`).slice(0, 3);

  test("INV-115, SK-155: probing looks behind that checkpoint, so the second one's transaction under an earlier name is left to its timeout", () => {
    const told = third("incrementing", committedFirst);
    expect(states(told)).toEqual(["0 P-0-1 COMMITTED", "0 P-0-2 COMMITTED", "1 P-0-1 TIMED_OUT"]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("INV-115, SK-156: with pooled names it is in the list of what is open, and aborted", () => {
    const told = third("pooling", committedFirst);
    expect(states(told)).toEqual(["0 P-0-0 COMMITTED", "0 P-0-1 COMMITTED", "1 P-0-0 ABORTED"]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("INV-120, SK-156: what the second aborted the third cannot commit: its records are lost, and nobody has promised them", () => {
    const told = third("pooling", after("CheckpointCompleted", { checkpoint: 2, submission: 0 }, "cancel"));
    expect(states(told)).toEqual(["0 P-0-0 COMMITTED", "0 P-0-1 ABORTED", "1 P-0-0 ABORTED"]);
    expect(told.report.verdict.endToEnd).toBe("at-most-once");
    expect(waived(told)).toEqual(["INV-120", "INV-121"]);
  });
});
