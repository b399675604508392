/** Defects of the engine that the search finds, each by its shortest schedule; with no defect it finds none. */
import { expect, test } from "vitest";
import type { Decisions } from "../engine/decisions.ts";
import * as defects from "../engine/defects.ts";
import { Invariants } from "../engine/invariants.ts";
import { runScenario } from "../engine/run.ts";
import { type Document, pathOf, scenarioOf, shown } from "./schedule.ts";
import { search } from "./search.ts";
import { Simulation } from "../engine/simulation.ts";
import { linear } from "../scenario/library/linear.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { Wrong } from "./properties.ts";
import { commandOf, join, keyed, shortLine, withOptions } from "./testing/searched.ts";

interface Row {
  readonly what: string;
  /** The shortest way to it, and what happens on it. */
  readonly found: string;
  readonly story: string;
  readonly defect: Partial<Decisions>;
  readonly document: Document;
  /** What fails, somewhere or nowhere. */
  readonly failure?: Command;
  /** Where the defect shows in other ways first. */
  readonly asks?: (wrong: Wrong) => boolean;
  /** Its restart must come while a message is on its way. */
  readonly freesTimers?: boolean;
}

const { "execution.checkpointing.interval": _, ...withoutInterval } = linear.config;
const onePerBarrier = shortLine(1, ["in-0@0"]);

const withStandby = { ...withOptions(onePerBarrier, { "high-availability.type": "zookeeper" }), id: "standby" };

const rows: readonly Row[] = [
  {
    what: "commit at the barrier",
    found: "INV-113 in 46 steps, 29 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; P-0-1 is committed.",
    defect: defects.commitsAtBarrier,
    document: onePerBarrier,
  },
  {
    what: "no alignment",
    found: "INV-002 in 78 steps, 58 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; A[0] takes its snapshot for checkpoint 1; B[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes.",
    defect: defects.noAlignment,
    document: join(2, 1),
  },
  {
    what: "offset taken after the barrier",
    found: "INV-007 in 54 steps, 28 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes.",
    defect: defects.offsetTakenAfterBarrier,
    document: onePerBarrier,
  },
  {
    what: "late acknowledgement accepted",
    found: "INV-020 in 64 steps, 30 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; fail-task SNK[0]; checkpoint 1 is aborted (CHECKPOINT_COORDINATOR_SUSPEND); a restart is scheduled; checkpoint 1 completes.",
    defect: defects.lateAcknowledgementAccepted,
    document: onePerBarrier,
    failure: commandOf("fail-task", "SNK[0]"),
  },
  {
    // Alone it cannot be seen: an attempt that is replaced has had its checkpoints aborted. And only what a process that
    // is gone has sent can come behind the restart, if the restart does not wait for it.
    what: "acknowledgement of an old attempt accepted",
    found: "INV-111 in 52 steps, 29 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; kill-taskmanager tm-1; a restart is scheduled.",
    defect: { ...defects.oldAttemptAcknowledges, ...defects.pendingWhileRestarting },
    document: { ...onePerBarrier, config: withoutInterval },
    failure: commandOf("kill-taskmanager", "tm-1"),
    asks: ({ property, message }) => property === "INV-111" && message.includes("its current attempt is 1"),
    freesTimers: true,
  },
  {
    what: "abort of a pre-committed transaction on restore",
    found: "INV-114 in 89 steps, 42 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes; fail-task SNK[0]; a restart is scheduled; SRC[0] is given checkpoint 1; MAP[0] is given checkpoint 1; SNK[0] is given checkpoint 1; P-0-1 is aborted.",
    defect: defects.abortsInsteadOfRecommit,
    document: onePerBarrier,
    failure: commandOf("fail-task", "SNK[0]"),
  },
  {
    what: "notification of an older checkpoint commits a newer transaction",
    found: "INV-113 in 88 steps, 72 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; trigger-checkpoint; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes; checkpoint 2 is triggered; SRC[0] takes its snapshot for checkpoint 2; MAP[0] takes its snapshot for checkpoint 2; P-0-2 is pre-committed; SNK[0] takes its snapshot for checkpoint 2; P-0-1 is committed; P-0-2 is committed.",
    defect: defects.olderNotificationCommitsNewer,
    document: shortLine(2, ["in-0@0", "in-0@1"]),
  },
  {
    what: "current transaction not aborted on close",
    found: "INV-115 in 29 steps, 22 of them chosen",
    story: "trigger-checkpoint; fail-task SNK[0].",
    defect: defects.currentNotAbortedOnClose,
    document: onePerBarrier,
    failure: commandOf("fail-task", "SNK[0]"),
  },
  {
    what: "a region that forgets a consumer",
    found: "INV-106 in 21 steps, 7 of them chosen",
    story: "fail-task SRC[0]; a restart is scheduled.",
    defect: defects.regionForgetsConsumer,
    document: onePerBarrier,
    failure: commandOf("fail-task", "SRC[0]"),
  },
  {
    what: "key-group ranges off by one",
    found: "INV-040 in 27 steps, 17 of them chosen",
    story: "trigger-checkpoint.",
    defect: defects.keyGroupRangeOffByOne,
    document: keyed(),
  },
  {
    what: "buffered records dropped at unblock",
    found: "INV-033 in 86 steps, 57 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; A[0] takes its snapshot for checkpoint 1; B[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes; P-0-1 is committed.",
    defect: defects.dropsBufferedRecords,
    document: join(2, 1),
  },
  {
    what: "restore of a checkpoint that was not completed",
    found: "INV-026 in 38 steps, 19 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; fail-task SNK[0]; checkpoint 1 is aborted (CHECKPOINT_COORDINATOR_SUSPEND); a restart is scheduled.",
    defect: defects.restoresAbortedCheckpoint,
    document: onePerBarrier,
    failure: commandOf("fail-task", "SNK[0]"),
  },
  {
    what: "a new leader that does not read the store",
    found: "INV-108 in 66 steps, 27 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; SRC[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; P-0-1 is pre-committed; SNK[0] takes its snapshot for checkpoint 1; checkpoint 1 completes; kill-jobmanager; the JobManager is gone; a standby takes over with checkpoint 0.",
    defect: defects.newLeaderForgetsStore,
    document: withStandby,
    failure: commandOf("kill-jobmanager", null),
  },
  {
    what: "a new leader that counts checkpoint ids anew",
    found: "INV-010 in 86 steps, 40 of them chosen",
    story:
      "trigger-checkpoint; checkpoint 1 is triggered; kill-jobmanager; the JobManager is gone; a standby takes over with checkpoint 0; checkpoint 1 is triggered.",
    defect: defects.newLeaderCountsAnew,
    document: withStandby,
    failure: commandOf("kill-jobmanager", null),
  },
];

function askedOf({ document, failure, asks, freesTimers }: Row) {
  return {
    scenario: scenarioOf(document),
    options: {
      failures: failure === undefined ? 0 : 1,
      targets: failure === undefined ? [] : [failure],
      states: 100_000,
      ...(asks !== undefined && { asks }),
      freesTimers: freesTimers === true,
    },
  };
}

const long = process.env["BARRIERSCOPE_LONG"] === "1";

/** The ids of what a run violates up to a step, or to its end where it gets there. */
function violatedBy(scenario: Scenario, defect: Partial<Decisions>, steps: number): string[] {
  const observer = new Invariants({ stopsRun: false });
  const simulation = Simulation.start(scenario, { log: null, observer, defects: defect });
  while (simulation.world.step < steps) simulation.step();
  const atEnd = runScenario(scenario, { checkInvariants: true, defects: defect }).violations;
  return [...observer.violations, ...atEnd].map(({ invariant }) => invariant);
}

const shortRows = rows.filter(({ freesTimers }) => long || freesTimers !== true);
test.each(shortRows.map((row) => [row.what, row] as const))("%s: found, and shown by the simulator", (_, row) => {
  const { scenario, options } = askedOf(row);
  const [finding] = search(scenario, { ...options, stopsAtFirst: true, defects: row.defect }).findings;
  if (finding === undefined) throw new Error("not found");
  const path = pathOf(scenario, finding.moves, { ...options, defects: row.defect });
  const written = scenarioOf(shown(row.document, path));
  expect(violatedBy(written, row.defect, path.steps)).toContain(finding.property);
  expect(`${finding.property} in ${path.steps} steps, ${path.schedule.length} of them chosen`).toBe(row.found);
  expect(path.story.en).toBe(row.story);
});

test("with no defect none of these searches finds anything, and each goes to its end", () => {
  const outcomes = new Map<string, string>();
  for (const row of rows) {
    const { scenario, options } = askedOf(row);
    const key = JSON.stringify([row.document["id"], row.document["faults"], row.failure]);
    // Without periodic checkpoints a transaction times out, and what is in it is lost: that is Flink's, not a defect.
    if (outcomes.has(key) || row.freesTimers === true) continue;
    const { findings, exhaustive, states } = search(scenario, { ...options, asks: () => true, freesTimers: false });
    expect(findings).toEqual([]);
    expect(exhaustive).toBe(true);
    outcomes.set(
      key,
      `${String(row.document["id"])} ${row.failure === undefined ? "without a failure" : (row.failure.target ?? row.failure.do)}: ${states} states`,
    );
  }
  expect([...outcomes.values()]).toMatchInlineSnapshot(`
    [
      "linear without a failure: 303 states",
      "join without a failure: 7693 states",
      "linear SNK[0]: 6289 states",
      "linear without a failure: 1664 states",
      "linear SRC[0]: 5182 states",
      "keyed without a failure: 182 states",
      "standby kill-jobmanager: 19760 states",
    ]
  `);
});
