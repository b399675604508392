import { expect, test } from "vitest";
import { Timeline } from "../../engine/timeline.ts";
import { runScenario } from "../../engine/run.ts";
import { command, libraryScenario } from "../../engine/testing/runs.ts";
import { isEmpty, runDiff } from "../../projection/run-diff.ts";
import { writtenFork, writtenSource } from "../../scenario/run-document.ts";
import { library } from "../../scenario/library.ts";
import { savedRun } from "./other-run.ts";

const { source } = library.find(({ id }) => id === "order-totals")!;

test("a saved run is computed as the branch that was shown, with what was decided on its way", () => {
  const timeline = new Timeline(libraryScenario("order-totals"));
  while (timeline.extend(0));
  const first = timeline.fork(0, 600, command("fail-task", "total[1]"));
  while (timeline.extend(first.id));
  const second = timeline.fork(first.id, 900, command("trigger-checkpoint", null));
  while (timeline.extend(second.id));
  const document = {
    ...writtenSource(source),
    forks: [
      writtenFork(0, 600, command("fail-task", "total[1]"), null),
      writtenFork(1, 900, command("trigger-checkpoint", null), "asked"),
    ],
    branch: 2,
    step: 900,
  };
  const { scenario, of } = savedRun("saved:1", "the bad night", document);
  const { log } = runScenario(scenario!);
  expect(isEmpty(runDiff({ log }, { log: timeline.branches[second.id]!.log }))).toBe(true);
  expect(of).toEqual({ kind: "other", name: "the bad night" });
});

test("a saved run that this version cannot read is told with what is wrong", () => {
  const { scenario, problems } = savedRun("saved:1", "old", { run: 99, step: 0 });
  expect(scenario).toBeNull();
  expect(problems[0]).toMatchObject({ path: "run", value: "99" });
});
