import { expect, test } from "vitest";
import { runScenario } from "./run.ts";
import { withFaults } from "./testing/runs.ts";

test("SK-010: records that a source has jumped past are lost, though nobody ever read them", () => {
  const fault = { at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "fail-task", target: "SRC[0]" };
  const { report } = runScenario(
    withFaults("linear", [fault], (source) => (source["broken"] = ["source-forgets-offset"])),
  );
  const committed = report.delivery.find(({ reader }) => reader === "read_committed");
  expect(committed).toMatchObject({ seen: 4, unprocessed: [], pending: [] });
  expect(committed?.lost).toEqual(["in-0@4", "in-0@5", "in-0@6", "in-0@7", "in-0@8", "in-0@9", "in-0@10", "in-0@11"]);
  expect(report.verdict.endToEnd).toBe("at-most-once");
});

test("a run that ends while a thread is down calls nothing lost that the restart reads again", () => {
  for (let time = 500; time < 800; time += 7) {
    const { report } = runScenario(
      withFaults(
        "two-lanes",
        [{ at: { time: "500 ms" }, do: "fail-task", target: "MAP[0]" }],
        (source) => (source["until"] = { time: `${time} ms` }),
      ),
    );
    expect(
      report.delivery.flatMap(({ lost }) => lost),
      `until ${time}`,
    ).toEqual([]);
  }
});
