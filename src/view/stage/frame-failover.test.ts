/** What frames say of failures: regions and the restart set, TaskManagers and their slots, the leader. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { type Small, after, atTime, fixedDelay, lane, sink, small, source } from "../../engine/testing/stories.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { type TraceEntry, traceEntry } from "../../protocol/trace.ts";
import { createFollower } from "../machines/follower.ts";
import type { Scene } from "./frame-types.ts";
import { frameAt } from "./frame.ts";
import { stageLayout } from "./layout.ts";
import { linkOf } from "./marks/link.ts";

interface Shown {
  readonly entry: TraceEntry;
  readonly scene: Scene;
}

async function shown(more: Partial<Small>): Promise<Shown[]> {
  const scenario = small({
    ...lane(2, { chain: false }),
    topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
    cluster: { taskManagers: 2, slots: 2 },
    restart: fixedDelay(3, "1 s"),
    timing: { "heartbeat.detect": "1 s" },
    ...more,
  });
  const { graph, log } = runScenario(scenario);
  const layout = await stageLayout(graph, { width: 1100, height: 560 });
  const view = initialView(scenario, graph);
  const follower = createFollower();
  return Array.from({ length: log.length }, (_, step) => {
    advance(view, log, step);
    const states = follower.follow(log, view);
    return { entry: traceEntry(graph, log, step), scene: frameAt(view, states, view.clock, layout).scene };
  });
}

const lit = ({ scene }: Shown): number[] =>
  scene.regions.filter(({ restarts }) => restarts).map(({ number }) => number);
const states = ({ scene }: Shown): string[] => scene.subtasks.map(({ look }) => look.label);
const first = (all: readonly Shown[], type: string, more: object = {}): Shown => {
  const found = all.find(
    ({ entry }) => entry.type === type && Object.entries(more).every(([field, value]) => entry[field] === value),
  );
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
};

describe("the restart set", () => {
  test("FR-042: it is lit when the JobManager hears of the failure, before anything is cancelled, until all of it runs again", async () => {
    const all = await shown({ faults: [atTime(900, "fail-task", { target: "M[0]" })] });
    const heard = first(all, "TaskFailed");
    expect(lit(heard)).toEqual([1]);
    expect(states(heard)).not.toContain("CANCELING");
    expect(lit(all[heard.entry.step - 1] as Shown)).toEqual([]);
    const planned = first(all, "RestartScheduled");
    expect(lit(planned)).toEqual([1]);
    const restarted = planned.scene.regions[0]?.subtasks.map((subtask) => planned.scene.subtasks[subtask]?.name);
    expect(planned.entry["restarted"]).toEqual(restarted);
    const dark = all.findIndex((each, step) => step > planned.entry.step && lit(each).length === 0);
    expect(all[dark]?.entry).toMatchObject({ type: "TaskStateChanged", to: "RUNNING" });
    expect(new Set(states(all[dark] as Shown))).toEqual(new Set(["RUNNING"]));
    // Attempts are counted on each subtask.
    expect(all.at(-1)?.scene.subtasks.map(({ name, attempt }) => `${name}#${attempt}`)).toEqual([
      "S[0]#1",
      "S[1]#0",
      "M[0]#1",
      "M[1]#0",
      "K[0]#1",
      "K[1]#0",
    ]);
  });

  test("FR-046: a failure that is tied to no task lights everything", async () => {
    const all = await shown({ faults: [atTime(900, "fail-job")] });
    const status = first(all, "JobStatusChanged", { to: "RESTARTING" });
    expect(lit(status)).toEqual([1, 2]);
    expect(states(status)).not.toContain("CANCELING");
  });

  test("FR-045: with the strategy full all is one region", async () => {
    const config = { "jobmanager.execution.failover-strategy": "full" };
    const all = await shown({ config, faults: [atTime(900, "fail-task", { target: "M[0]" })] });
    expect(first(all, "TaskFailed").scene.regions).toMatchObject([
      { number: 1, restarts: true, subtasks: [0, 1, 2, 3, 4, 5] },
    ]);
    expect(all[0]?.scene.subtasks.map(({ region }) => region)).toEqual(Array.from({ length: 6 }, () => null));
  });

  test("FR-012: of a job that is given up nothing restarts", async () => {
    const all = await shown({ restart: { type: "none" }, faults: [atTime(900, "fail-task", { target: "M[0]" })] });
    expect(lit(first(all, "JobStatusChanged", { to: "FAILING" }))).toEqual([]);
    expect(lit(all.at(-1) as Shown)).toEqual([]);
  });
});

describe("machines", () => {
  test("FR-035, FR-024: a TaskManager holds subtasks in its slots; one that is lost is shown so, and the other takes them in", async () => {
    const all = await shown({ faults: [atTime(900, "kill-taskmanager", { target: "tm-1" })] });
    const before = first(all, "FaultInjected").entry.step - 1;
    expect(all[before]?.scene.taskManagers.map(({ slots }) => slots.map((dots) => dots.length))).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(first(all, "FaultInjected").scene.taskManagers.map(({ lost }) => lost)).toEqual([true, false]);
    expect(first(all, "TaskManagerLost").scene.taskManagers[0]).toMatchObject({ lost: true, registered: false });
    expect(all.at(-1)?.scene.taskManagers.map(({ slots }) => slots.map((dots) => dots.length))).toEqual([
      [0, 0],
      [3, 3],
    ]);
  });

  test("FR-007: one that ends its own process is lost too", async () => {
    const all = await shown({
      config: { "task.cancellation.timeout": "1 s" },
      faults: [atTime(600, "stall", { target: "M[0]" }), atTime(700, "fail-task", { target: "S[0]" })],
    });
    const fatal = first(all, "FatalError");
    expect(all[fatal.entry.step - 1]?.scene.taskManagers.map(({ lost }) => lost)).toEqual([false, false]);
    expect(fatal.scene.taskManagers.map(({ lost }) => lost)).toEqual([true, false]);
  });
});

describe("the leader", () => {
  const killed = after("CheckpointCompleted", { checkpoint: 1 }, "kill-jobmanager", { for: "2 s" });
  const leader = ({ scene }: Shown): Scene["jobManager"]["leader"] => scene.jobManager.leader;

  test("FR-100, FR-102: the first is there with its standby, then it is gone, then the second is in the lead", async () => {
    const all = await shown({
      config: { "high-availability.type": "zookeeper" },
      checkpointing: { interval: "500 ms" },
      initialDelay: 100,
      faults: [killed],
    });
    const lost = first(all, "LeadershipLost");
    expect(leader(all[lost.entry.step - 1] as Shown)).toEqual({ number: 1, present: true, standby: true });
    expect(leader(lost)).toEqual({ number: 1, present: false, standby: true });
    expect(lost.scene.jobManager.next).toEqual({ kind: "leaderless", standby: true });
    const granted = first(all, "LeadershipGranted");
    expect(leader(granted)).toEqual({ number: 2, present: true, standby: true });
    expect(lit(granted)).toEqual([1, 2]);
    expect(granted.scene.jobManager.restart).toBeNull();
    expect(lit(all.at(-1) as Shown)).toEqual([]);
  });

  test("FR-029: without high availability there is no standby, and nobody comes", async () => {
    const all = await shown({ checkpointing: { interval: "500 ms" }, initialDelay: 100, faults: [killed] });
    expect(leader(all.at(-1) as Shown)).toEqual({ number: 1, present: false, standby: false });
  });
});

describe("a channel", () => {
  const links = ({ scene }: Shown): string[] =>
    scene.channels.flatMap((channel) => {
      const link = linkOf(channel, scene);
      return link === null ? [] : [`${channel.name} ${link}`];
    });

  test("is broken from its failure until both its ends run again, and not before its first connection", async () => {
    const all = await shown({ faults: [atTime(900, "fail-task", { target: "M[0]" })] });
    const { step } = first(all, "TaskFailed").entry;
    const stopped = first(all, "TaskStopped", { subtask: "M[0]" }).entry.step;
    expect(all.slice(0, stopped).flatMap(links)).toEqual([]);
    const broken = links(all[step] as Shown);
    expect(broken.length).toBeGreaterThan(0);
    for (const each of broken) expect(each).toMatch(/M\[0\].* broken$/);
    const opened = all.findLastIndex((each) => links(each).length > 0);
    expect(opened).toBeGreaterThan(step);
    for (const { open } of all[opened + 1]?.scene.channels ?? []) expect(open).toBe(true);
    expect(all.slice(opened + 1).flatMap(links)).toEqual([]);
  });

  test("FR-041: over which a result is read once it is whole says so from the first moment to the last", async () => {
    const [read, summed, written] = [
      source("S", { parallelism: 2, bounded: true, slotSharingGroup: "s" }),
      { uid: "T", type: "keyed-sum", parallelism: 2, chain: false, slotSharingGroup: "t" },
      sink("K", { slotSharingGroup: "t" }),
    ];
    const all = await shown({
      vertices: [read, summed, written],
      edges: ["S hash T exchange=BLOCKING", "T rebalance K"],
      topics: { in: { partitions: 2, records: 4, every: "20 ms", keys: 2 }, out: { partitions: 1 } },
      cluster: { taskManagers: 4, slots: 1 },
      checkpointing: { interval: null },
    });
    const between = all[0]?.scene.channels
      .filter(({ from }) => from.startsWith("S"))
      .map(({ name }) => `${name} blocking`);
    expect(between?.length).toBe(4);
    for (const each of all) expect(links(each)).toEqual(between);
  });
});
