/** Which edges of the machines' tables runs take. A table says what may happen; an edge that no run can take is a promise of nothing. */
import { describe, expect, test } from "vitest";
import { edgesOf } from "../protocol/machine.ts";
import { machines } from "../protocol/machines/all.ts";
import { EventNumber } from "../protocol/events.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Course } from "./course.ts";
import { type Observer, Simulation } from "./simulation.ts";
import { command, libraryScenario, withFaults } from "./testing/runs.ts";
import { atTime, counter, sink, small, source } from "./testing/stories.ts";

/** Collects the moves of all runs that it watches. A barrier handler that gives up goes where one that is done goes: its entry tells them apart. */
class Taken implements Observer {
  readonly edges: Set<string>;

  constructor(edges = new Set<string>()) {
    this.edges = edges;
  }

  observe({ draft }: Kernel): void {
    for (let i = 0; i < draft.moveCount; i++) {
      const word = draft.moves[2 * i + 1] as number;
      this.edges.add(`${word} ${draft.type === EventNumber.AlignmentAborted ? "abort" : ""}`);
    }
  }

  clone(): Taken {
    return new Taken(this.edges);
  }
}

function run(scenario: Scenario, taken: Taken): void {
  const course = new Course(Simulation.start(scenario, { log: null, observer: taken }));
  while (course.ended === null) course.advance();
}

/** The scenario, and each of these at every so many steps of it. */
function sweep(scenario: Scenario, commands: readonly Command[], every: number, taken: Taken): void {
  const course = new Course(Simulation.start(scenario, { log: null, observer: taken }));
  while (course.ended === null) {
    if (course.simulation.world.step % every === 0) {
      for (const act of commands) {
        const clone = course.simulation.clone();
        clone.submit(act);
        const branch = new Course(clone);
        while (branch.ended === null) branch.advance();
      }
    }
    course.advance();
  }
}

function neverTaken(edges: ReadonlySet<string>): string[] {
  return machines.flatMap((table, machine) => {
    const order = Object.keys(table.states);
    return edgesOf(table)
      .filter(({ from, event, to }) => {
        const word = (machine << 16) | (order.indexOf(from) << 8) | order.indexOf(to);
        return !edges.has(`${word} ${table.name === "BarrierHandler" && event === "abort" ? "abort" : ""}`);
      })
      .map(({ from, event, to }) => `${table.name}: ${from} -${event}-> ${to}`);
  });
}

/** What no run takes: a job is CREATED only in the moment in which it is submitted, before anybody can ask for anything. */
const never = ["JobStatus: CREATED -cancel-> CANCELLING"];

/** What only who cancels a job leads to. */
const byCancelling = [
  "JobStatus: RUNNING -cancel-> CANCELLING",
  "JobStatus: RESTARTING -cancel-> CANCELLING",
  "JobStatus: FAILING -cancel-> CANCELLING",
  "JobStatus: CANCELLING -settle-> CANCELED",
  "JobStatus: CANCELLING -suspend-> SUSPENDED",
];

/** What only the loss of the JobManager leads to; no subtask is CREATED between two entries else. */
const byLossOfTheLeader = [
  "Checkpoint: ABORTED -recover-> COMPLETED",
  "ExecutionState: CREATED -cancel-> CANCELED",
  ...["DEPLOYING", "INITIALIZING", "RUNNING"].map((state) => `ExecutionState: ${state} -suspend-> CANCELED`),
  ...["INITIALIZING", "CREATED", "RUNNING", "RESTARTING", "FAILING"].map(
    (status) => `JobStatus: ${status} -suspend-> SUSPENDED`,
  ),
  "JobStatus: SUSPENDED -recover-> INITIALIZING",
];

/** Beyond that, what one failure of a library scenario does not lead to: they have slots and restarts enough. */
const notBySingleFailures = [
  "Checkpoint: FINALIZING -abort-> ABORTED",
  "ExecutionState: SCHEDULED -cancel-> CANCELED",
  "ExecutionState: SCHEDULED -fail-> FAILED",
  "JobStatus: RUNNING -deny-> FAILING",
  "JobStatus: RESTARTING -deny-> FAILING",
  "JobStatus: FAILING -settle-> FAILED",
  "JobStatus: INITIALIZING -fail-> FAILED",
];

/** Only a part file is written on that was closed. */
const ofPartFiles = ["Transaction: PRE_COMMITTED -resume-> OPEN"];

const long = process.env["BARRIERSCOPE_LONG"] === "1";

describe("edges of the tables", () => {
  test("library scenarios and single failures of them take all edges but these", () => {
    const taken = new Taken();
    for (const id of ["order-totals", "linear", "shuffle", "two-lanes", "bounded", "unaligned", "aligned-timeout"]) {
      const scenario = libraryScenario(id);
      const { subtasks, taskManagers } = Simulation.start(scenario, { log: null }).session.plan.graph;
      const commands = [
        ...subtasks.map(({ name }) => command("fail-task", name)),
        ...taskManagers.map((name) => command("restart-taskmanager", name)),
        command("fail-job", null),
        ...subtasks.slice(-1).map(({ name }) => command("expire-transaction", name)),
        command("lose-rpc", null, { rpc: "ack" }),
        command("trigger-checkpoint", null),
      ];
      if (["order-totals", "unaligned", "aligned-timeout"].includes(id) && !long) run(scenario, taken);
      else sweep(scenario, commands, long ? 3 : 23, taken);
    }
    // Only a second checkpoint under way makes a task give one up for the other.
    const givenUp = ["COLLECTING", "WAITING_UNALIGNED", "COLLECTING_UNALIGNED"].map(
      (state) => `BarrierHandler: ${state} -abort-> WAITING`,
    );
    expect(neverTaken(taken.edges).toSorted()).toEqual(
      [...never, ...byCancelling, ...byLossOfTheLeader, ...notBySingleFailures, ...givenUp, ...ofPartFiles].toSorted(),
    );
  });

  test("with few slots, few restarts and checkpoints that overlap, every edge is taken but the one of a job that is cancelled before it is", () => {
    const taken = new Taken();
    for (const id of ["linear", "shuffle", "two-lanes", "bounded", "unaligned", "aligned-timeout"])
      run(libraryScenario(id), taken);
    const config = (more: Record<string, unknown>) => (file: Record<string, unknown>) => {
      file["config"] = { ...(file["config"] as Record<string, unknown>), ...more };
    };
    const fail = (at: Record<string, unknown>, target = "MAP[0]"): Record<string, unknown> => ({
      at,
      do: "fail-task",
      target,
    });
    const lostBoth = [
      atTime(700, "kill-taskmanager", { target: "tm-1" }),
      atTime(701, "kill-taskmanager", { target: "tm-2" }),
    ];
    const scenarios = [
      withFaults(
        "two-lanes",
        lostBoth,
        config({ "slot.request.timeout": "30 s", "jobmanager.execution.failover-strategy": "full" }),
      ),
      withFaults(
        "two-lanes",
        [fail({ time: 700 }), fail({ time: 800 }, "MAP[1]")],
        config({ "restart-strategy.fixed-delay.attempts": 1 }),
      ),
      withFaults("linear", [fail({ time: 700 })], config({ "restart-strategy.type": "none" })),
      // There is no checkpoint that the second job could start from.
      withFaults(
        "linear",
        [fail({ time: 700 }), atTime(2000, "restore", { from: "checkpoint" })],
        config({ "restart-strategy.type": "none" }),
      ),
      withFaults("linear", [
        fail({ time: 700 }),
        fail({ after: "TaskStateChanged", subtask: "MAP[0]", to: "INITIALIZING", nth: 2 }),
      ]),
      withFaults("linear", [
        {
          at: { after: "TaskStateChanged", to: "DEPLOYING", subtask: "SNK[0]" },
          do: "kill-taskmanager",
          target: "tm-2",
        },
      ]),
      withFaults("linear", [
        fail({ after: "SnapshotTaken", subtask: "SNK[0]", checkpoint: 2 }),
        atTime(15_000, "expire-transaction", { target: "SNK[0]" }),
      ]),
      withFaults("linear", [
        { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "expire-transaction", target: "SNK[0]" },
      ]),
      withFaults("linear", [
        { at: { after: "RecordWritten", record: "in-0@5" }, do: "expire-transaction", target: "SNK[0]" },
      ]),
      withFaults("linear", [{ at: { after: "TransactionPreCommitted", checkpoint: 2 }, do: "fail-job" }]),
      withFaults("linear", [fail({ after: "RecordWritten", record: "in-0@5" })]),
      withFaults(
        "linear",
        [{ at: { after: "CheckpointTriggered", checkpoint: 1 }, do: "storage-down", what: "ha", for: "100 ms" }],
        config({ "high-availability.type": "zookeeper", "execution.checkpointing.tolerable-failed-checkpoints": 1 }),
      ),
      withFaults("linear", [{ at: { after: "TaskStateChanged", to: "DEPLOYING", subtask: "SNK[0]" }, do: "fail-job" }]),
      ...[
        { before: "JobStatusChanged", to: "CREATED" },
        { after: "JobStatusChanged", to: "CREATED" },
        { after: "AttemptCreated" },
        { after: "TaskStateChanged", to: "DEPLOYING" },
        { after: "TaskStateChanged", to: "INITIALIZING" },
        { after: "CheckpointTriggered" },
      ].map((at) =>
        withFaults("linear", [{ at, do: "kill-jobmanager" }], config({ "high-availability.type": "zookeeper" })),
      ),
      ...["RESTARTING", "FAILING"].map((to) =>
        withFaults(
          "linear",
          [fail({ time: 700 }), fail({ time: 9000 }), { at: { after: "JobStatusChanged", to }, do: "kill-jobmanager" }],
          config({ "restart-strategy.fixed-delay.attempts": to === "FAILING" ? 0 : 1 }),
        ),
      ),
      ...["RUNNING", "RESTARTING", "FAILING"].map((to) =>
        withFaults(
          "linear",
          [fail({ time: 700 }), { at: { after: "JobStatusChanged", to, nth: to === "RUNNING" ? 2 : 1 }, do: "cancel" }],
          config({ "restart-strategy.fixed-delay.attempts": to === "FAILING" ? 0 : 1 }),
        ),
      ),
      withFaults(
        "linear",
        [
          { at: { time: 700 }, do: "cancel" },
          { at: { after: "JobStatusChanged", to: "CANCELLING" }, do: "kill-jobmanager" },
        ],
        config({ "high-availability.type": "zookeeper" }),
      ),
      withFaults(
        "linear",
        [
          {
            at: { before: "CheckpointCompleted", nth: 2 },
            do: "storage-down",
            what: "ha",
            kind: "reply-lost",
            for: "1 s",
          },
          { at: { after: "CheckpointAborted" }, do: "kill-jobmanager" },
        ],
        config({ "high-availability.type": "zookeeper" }),
      ),
      withFaults("shuffle", [
        { at: { after: "TransactionPreCommitted", checkpoint: 2 }, do: "expire-transaction", target: "SNK[0]" },
      ]),
      small({
        vertices: [
          source("S"),
          counter("M"),
          { uid: "K", type: "file-sink", chain: false, rolloverInterval: "350 ms" },
        ],
        edges: ["S forward M", "M forward K"],
        faults: [
          { at: { after: "RecordEmitted", record: "in-0@1" }, do: "trigger-checkpoint" },
          fail({ after: "TransactionPreCommitted" }, "M[0]"),
        ],
      }),
      small({
        vertices: [source("A", { topic: "in" }), source("B", { topic: "other" }), counter("T"), sink("K")],
        edges: ["A forward T", "B forward T", "T forward K"],
        topics: { other: { records: 12, every: "100 ms" } },
        checkpointing: { "max-concurrent-checkpoints": 2 },
        faults: [
          atTime(0, "lose-rpc", { rpc: "trigger", target: "B[0]", checkpoint: 1 }),
          atTime(310, "trigger-checkpoint"),
          atTime(620, "trigger-checkpoint"),
        ],
      }),
      ...["0 ms", "300 ms"].map((timeout) =>
        small({
          vertices: [source("A"), source("B", { topic: "other" }), counter("T", { cost: 200 }), sink("K")],
          edges: ["A rebalance T", "B rebalance T", "T rebalance K"],
          topics: { in: { records: 3, every: "100 ms" }, other: { records: 12, every: "100 ms" } },
          checkpointing: {
            "unaligned.enabled": true,
            "aligned-checkpoint-timeout": timeout,
            timeout: "320 ms",
            "tolerable-failed-checkpoints": 9,
          },
          faults: [
            atTime(0, "lose-rpc", { rpc: "trigger", target: "A[0]", checkpoint: 1 }),
            atTime(0, "lose-rpc", { rpc: "notify-aborted", target: "T[0]", checkpoint: 1 }),
            atTime(310, "trigger-checkpoint"),
            atTime(700, "trigger-checkpoint"),
          ],
          until: { time: "1 s" },
        }),
      ),
    ];
    for (const scenario of scenarios) run(scenario, taken);
    expect(neverTaken(taken.edges)).toEqual(never);
  });
});
