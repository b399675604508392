import { expect, test } from "vitest";
import { runScenario } from "../../../engine/run.ts";
import { libraryScenario } from "../../../engine/testing/runs.ts";
import { advance, initialView } from "../../../projection/fold.ts";
import { enOutline } from "../../text/en-outline.ts";
import type { Moment } from "../../use-view.ts";
import { outlineRows } from "./rows.ts";

const scenario = libraryScenario("order-totals");
const { graph, log } = runScenario(scenario);

/** The first moment at which a task waits for its second barrier. */
function aligning(): Moment {
  const view = initialView(scenario, graph);
  for (let step = 0; step < log.length; step++) {
    advance(view, log, step);
    if (view.channels.some(({ blocked }) => blocked >= 0)) break;
  }
  return { graph, scenario, log, step: view.step, view, shelf: [] };
}

const lines = (isOpen: (path: string) => boolean): string[] =>
  outlineRows(aligning(), isOpen, enOutline).map(
    ({ level, name, state, checkpoint, input, output, transaction }) =>
      `${"  ".repeat(level - 1)}${name} | ${[state, checkpoint, input, output, transaction].join(" | ")}`,
  );

test("in alignment the outline says which task waits, with how many barriers, and which channel is blocked", () => {
  expect(lines((path) => path !== "sources" && path !== "outside" && path !== "machines")).toMatchInlineSnapshot(`
    [
      "JobManager | RUNNING | 1: 0 of 5 acknowledged |  |  | ",
      "Source partitions (2) |  |  |  |  | ",
      "Source: orders | 2 RUNNING | 1: 0 of 2 acknowledged |  | 0 of 32, 1 blocked | ",
      "  orders[0] | RUNNING | 1: being written |  | 0 of 16, 1 blocked | ",
      "    to total[0] | blocked behind barrier 1 |  |  | 0 of 8 | ",
      "    to total[1] | open |  |  | 0 of 8 | ",
      "  orders[1] | RUNNING | 1: being written |  | 0 of 16 | ",
      "    to total[0] | open |  |  | 0 of 8 | ",
      "    to total[1] | open |  |  | 0 of 8 | ",
      "Total per key | 2 RUNNING | 1: 0 of 2 acknowledged | 0 of 32, 1 blocked | 0 of 16 | ",
      "  total[0] | RUNNING | 1: barrier on 1 of 2 inputs | 0 of 16, 1 blocked | 0 of 8 | ",
      "    to out[0] | open |  |  | 0 of 8 | ",
      "  total[1] | RUNNING | 1: barrier expected | 0 of 16 | 0 of 8 | ",
      "    to out[0] | open |  |  | 0 of 8 | ",
      "Sink: totals | 1 RUNNING | 1: 0 of 1 acknowledged | 0 of 16 |  | 1 open",
      "  out[0] | RUNNING | 1: barrier expected | 0 of 16 |  | out-0-1 open",
      "Sink partitions (1) |  |  |  |  | ",
      "TaskManagers (2) |  |  |  |  | ",
      "Checkpoint storage |  |  |  |  | ",
    ]
  `);
});

test("what is closed stands for all that is under it", () => {
  expect(lines(() => false)).toMatchInlineSnapshot(`
    [
      "JobManager | RUNNING | 1: 0 of 5 acknowledged |  |  | ",
      "Source partitions (2) |  |  |  |  | ",
      "Source: orders | 2 RUNNING | 1: 0 of 2 acknowledged |  | 0 of 32, 1 blocked | ",
      "Total per key | 2 RUNNING | 1: 0 of 2 acknowledged | 0 of 32, 1 blocked | 0 of 16 | ",
      "Sink: totals | 1 RUNNING | 1: 0 of 1 acknowledged | 0 of 16 |  | 1 open",
      "Sink partitions (1) |  |  |  |  | ",
      "TaskManagers (2) |  |  |  |  | ",
      "Checkpoint storage |  |  |  |  | ",
    ]
  `);
});
