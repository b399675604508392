import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { library } from "../scenario/library.ts";
import { initialView, applyEntry } from "./fold.ts";
import { type NextTrigger, nextTrigger } from "./next-trigger.ts";
import type { RunView } from "./views.ts";

type Json = Record<string, unknown>;

/** The library's scenario with options and faults of its own. */
function changed(id: string, config: Json, more: Json = {}): Scenario {
  const source = structuredClone(library.find((entry) => entry.id === id)?.source) as Json;
  const parsed = scenarioFrom({ ...source, ...more, config: { ...(source["config"] as Json), ...config } });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** What is told after each entry; `told` sees the view too. */
function told(scenario: Scenario): {
  log: EventLog;
  next: NextTrigger[];
  views: { pending: number; completed: number }[];
} {
  const { log, graph } = runScenario(scenario);
  const view = initialView(scenario, graph);
  const next: NextTrigger[] = [];
  const views: { pending: number; completed: number }[] = [];
  for (let step = 0; step < log.length; step++) {
    applyEntry(view, log, step);
    next.push(nextTrigger(view));
    views.push(sizes(view));
  }
  return { log, next, views };
}

function sizes({ coordinator }: RunView): { pending: number; completed: number } {
  return { pending: coordinator.pending.length, completed: coordinator.completed.length };
}

const PERIODIC: ReadonlySet<number> = new Set([
  EventNumber.CheckpointTriggered,
  EventNumber.TriggerQueued,
  EventNumber.TriggerRejected,
]);

describe.each(["order-totals", "unaligned", "aligned-timeout"])("%s", (id) => {
  test("CP-003: the next periodic trigger comes when it was told to come", () => {
    const { log, next } = told(libraryScenario(id));
    let compared = 0;
    for (let step = 1; step < log.length; step++) {
      const cause = log.cause(step);
      if (!PERIODIC.has(log.type(step)) || (cause >= 0 && log.type(cause) === EventNumber.FaultInjected)) continue;
      const before = next[step - 1];
      if (before?.kind === "at") expect(log.clock(step)).toBe(before.at);
      else if (before?.kind === "between") {
        expect(log.clock(step)).toBeGreaterThanOrEqual(before.from);
        expect(log.clock(step)).toBeLessThanOrEqual(before.to);
      } else expect(before?.kind).toBe("queued");
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });
});

test("CP-193: the checkpoint that the end of data asks for does not move the periodic trigger", () => {
  const { log, next } = told(libraryScenario("bounded"));
  const triggers = next.flatMap((_, step) => (log.type(step) === EventNumber.CheckpointTriggered ? [step] : []));
  const early = triggers.filter((step) => {
    const before = next[step - 1];
    return before?.kind === "at" && log.clock(step) < before.at;
  });
  expect(early).toHaveLength(1);
  for (const step of early) expect(next[step]).toEqual(next[step - 1]);
});

test("CP-009: a request waits while as many are pending as may be, and says for which", () => {
  const { next, views } = told(changed("unaligned", { "execution.checkpointing.interval": "50 ms" }));
  const waiting = next.flatMap((each, step) => (each.kind === "queued" ? [{ each, step }] : []));
  expect(waiting.length).toBeGreaterThan(10);
  for (const { each, step } of waiting) {
    expect(each.most).toBe(1);
    expect(each.pending).toHaveLength(1);
    expect(views[step]?.pending).toBe(1);
  }
});

test("CP-010: the minimum pause is told with its end, and the next checkpoint begins then", () => {
  const { log, next } = told(
    changed("unaligned", {
      "execution.checkpointing.interval": "100 ms",
      "execution.checkpointing.min-pause": "250 ms",
    }),
  );
  let paused = 0;
  for (let step = 1; step < log.length; step++) {
    const before = next[step - 1];
    if (log.type(step) !== EventNumber.CheckpointTriggered || before?.kind !== "pause") continue;
    expect(log.clock(step)).toBe(before.at);
    paused++;
  }
  expect(paused).toBeGreaterThan(1);
});

test("CP-004: it is suspended until every task runs again after a failure", () => {
  const { log, next } = told(
    changed(
      "order-totals",
      {},
      { faults: [{ at: { after: "CheckpointCompleted" }, do: "fail-task", target: "total[1]" }] },
    ),
  );
  const failed = next.findIndex((_, step) => log.type(step) === EventNumber.TaskFailed);
  const [first] = next;
  expect(first).toMatchObject({ kind: "suspended", restarting: false, running: 0 });
  expect(next[failed + 2]?.kind).toBe("suspended");
  const back = next.findIndex((each, step) => step > failed + 2 && each.kind !== "suspended");
  expect(log.type(back)).toBe(EventNumber.TaskStateChanged);
});

test("without an interval there is none, and none after the end", () => {
  const off = changed("order-totals", {}, {});
  const without = { ...off, config: { ...off.config, checkpointing: { ...off.config.checkpointing, interval: null } } };
  const { next } = told(without);
  expect(next.some(({ kind }) => kind === "off")).toBe(true);
  expect(told(libraryScenario("bounded")).next.at(-1)).toEqual({ kind: "ended" });
});

test("FR-101: without a JobManager nothing is triggered, and what is told depends on a standby", () => {
  const faults = [{ at: { time: "1200 ms" }, do: "kill-jobmanager" }];
  const leaderless = (config: Json): readonly (NextTrigger & { readonly kind: "leaderless" })[] =>
    told(changed("order-totals", config, { faults })).next.filter((next) => next.kind === "leaderless");
  expect(new Set(leaderless({}).map(({ standby }) => standby))).toEqual(new Set([false]));
  const storage = { "high-availability.type": "zookeeper", "high-availability.storageDir": "s3://demo/ha" };
  const { next } = told(
    changed(
      "order-totals",
      { ...storage, "execution.checkpointing.storage": "filesystem", "execution.checkpointing.dir": "s3://demo/c" },
      { faults },
    ),
  );
  expect(next).toContainEqual({ kind: "leaderless", standby: true });
  expect(next.at(-1)?.kind).toBe("at");
});
