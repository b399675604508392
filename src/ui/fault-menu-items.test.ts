import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { EventNumber } from "../protocol/events.ts";
import { commandText } from "../scenario/command-text.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Stop } from "../view/stage/elements.ts";
import type { Circumstances } from "./fault-item.ts";
import { faultItems } from "./fault-menu-items.ts";
import { en } from "./text/en.ts";

type Json = Record<string, unknown>;

const source = structuredClone(library.find(({ id }) => id === "order-totals")?.source) as Json;

function parsed(faults: readonly Json[]): Extract<ReturnType<typeof scenarioFrom>, { ok: true }>["value"] {
  const result = scenarioFrom({ ...source, until: { time: "2 s" }, faults });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const graph = executionGraph(parsed([]));
const plain: Circumstances = {
  taskManagerOf: () => 0,
  taskManagerAlive: () => true,
  transactionUndecided: () => true,
  isCutOff: () => false,
  storageIsDown: false,
  brokerIsDown: false,
  nextOffset: () => ({ offset: 3, of: 80 }),
  restoreCandidate: 1,
  ended: false,
  stored: () => true,
  scenario: parsed([]),
};
const broken: Circumstances = {
  ...plain,
  taskManagerAlive: () => false,
  transactionUndecided: () => false,
  isCutOff: () => true,
  storageIsDown: true,
  brokerIsDown: true,
  restoreCandidate: -1,
  ended: true,
};

/** As the scenario's file has it. */
const written = (command: Command): Json => ({ at: { time: "1500 ms" }, ...commandText(command) });

const elements: readonly Stop[] = (
  ["subtask", "vertex", "channel", "taskManager", "jobManager", "storage", "input", "output"] as const
).map((kind) => ({ kind, id: 0 }));

test("every entry that can be chosen is a fault of the contract, and acts", () => {
  const verbs = new Set<string>();
  for (const now of [plain, broken]) {
    for (const element of elements) {
      for (const { key, command } of faultItems(graph, element, now, en)) {
        if (command === null) continue;
        verbs.add(command.do);
        const { log } = runScenario(parsed([written(command)]));
        const acted = Array.from({ length: log.length }, (_, step) => log.type(step)).includes(
          EventNumber.FaultInjected,
        );
        expect(acted, `${element.kind}: ${key}`).toBe(true);
      }
    }
  }
  expect([...verbs].sort()).toMatchInlineSnapshot(`
    [
      "broker-down",
      "broker-up",
      "cancel",
      "expire-records",
      "fail-job",
      "fail-task",
      "fail-vertex",
      "heal",
      "kill-jobmanager",
      "kill-taskmanager",
      "lose-rpc",
      "partition",
      "poison-record",
      "rescale",
      "restart-taskmanager",
      "restore",
      "set-rate",
      "slow",
      "snapshot-failure",
      "stall",
      "stop-with-savepoint",
      "storage-corrupt",
      "storage-down",
      "storage-up",
      "trigger-checkpoint",
      "trigger-savepoint",
    ]
  `);
});

test("what is down can only come up, and what is not there cannot be corrupt", () => {
  const choosable = (element: Stop["kind"], now: Circumstances): string[] =>
    faultItems(graph, { kind: element, id: 0 }, now, en).flatMap(({ key, command }) => (command === null ? [] : [key]));
  expect(choosable("storage", plain)).toEqual(["storage-down", "storage-corrupt"]);
  expect(choosable("storage", broken)).toEqual(["storage-up"]);
  expect(choosable("output", plain)).toEqual(["broker-down", "broker-away"]);
  expect(choosable("output", broken)).toEqual(["broker-up"]);
  expect(choosable("taskManager", broken)).toEqual(["restart-taskmanager", "heal"]);
});
