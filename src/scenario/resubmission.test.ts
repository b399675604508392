/** Jobs that a scenario's operations submit, as they are written. */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "./parse.ts";
import { type Json, parsed, small } from "./testing/sources.ts";

const at = { time: "1 s" };
const restoring = (change: Json, more: readonly Json[] = []): Json => ({
  ...small(),
  faults: [{ at, do: "restore", ...change }, ...more],
});
const problems = (source: Json): string[] => {
  const read = scenarioFrom(source);
  return read.ok ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`);
};
const jobs = (source: Json): (string | undefined)[] =>
  parsed(source).faults.map(({ submission }) =>
    submission?.job.vertices.map(({ uid, parallelism }) => `${uid} ${parallelism}`).join(", "),
  );

describe("what changes", () => {
  test("is counted from the job before it in the list", () => {
    const source = restoring({ job: { vertices: [{ uid: "sum", parallelism: 3 }] } }, [
      {
        at,
        do: "restore",
        job: { vertices: [{ uid: "out", parallelism: 2 }] },
        config: { "execution.checkpointing.interval": "7 s" },
      },
      { at, do: "rescale", vertex: "sum", parallelism: 1 },
    ]);
    const [first, second, third] = parsed(source).faults;
    expect(jobs(source)).toEqual(["src 2, sum 3, out 1", "src 2, sum 3, out 2", "src 2, sum 1, out 2"]);
    expect(first?.submission?.config.checkpointing.interval).not.toBe(7000);
    expect(second?.submission?.config.checkpointing.interval).toBe(7000);
    expect(third?.submission?.config.checkpointing.interval).toBe(7000);
  });

  test("with edges is a whole job; a vertex of another uid is added", () => {
    const [vertex] = (small()["job"] as { vertices: Json[] }).vertices;
    expect(problems(restoring({ job: { vertices: [vertex], edges: [] } }))).toEqual([
      expect.stringContaining("faults[0].job.vertices[0]: No edge leads on from this vertex"),
    ]);
  });

  test("rescale changes the whole chain of its vertex", () => {
    const source = small();
    const { vertices, edges } = source["job"] as { vertices: Json[]; edges: Json[] };
    vertices.push({ uid: "next", type: "map", parallelism: vertices[1]?.["parallelism"] });
    for (const edge of edges) if (edge["from"] === "sum") edge["from"] = "next";
    edges.push({ from: "sum", to: "next", ship: "forward" });
    source["faults"] = [{ at, do: "rescale", vertex: "next", parallelism: 4 }];
    expect(jobs(source)[0]).toContain("sum 4");
    expect(jobs(source)[0]).toContain("next 4");
  });

  test("a fault may name what only a later job has", () => {
    const source = restoring({ job: { vertices: [{ uid: "sum", parallelism: 5 }] } }, [
      { at, do: "fail-task", target: "sum[4]" },
    ]);
    expect(problems(source)).toEqual([]);
    expect(problems({ ...source, faults: [{ at, do: "fail-task", target: "sum[4]" }] })).toHaveLength(1);
  });

  test("slots are enough for the widest job where none are set", () => {
    expect(parsed(restoring({ job: { vertices: [{ uid: "sum", parallelism: 5 }] } })).cluster).toEqual({
      taskManagers: 1,
      slots: 5,
    });
  });
});

describe("what is refused, at its place", () => {
  test.each<[string, Json, string]>([
    [
      "an unknown vertex",
      { do: "rescale", vertex: "sun", parallelism: 2 },
      "faults[0].vertex: No vertex has this uid.",
    ],
    [
      "other topics",
      { do: "restore", job: { vertices: [{ uid: "out", topic: "more" }] } },
      "faults[0].job: Not simulated yet: a later job writes topics of the first",
    ],
    [
      "an option that Flink refuses",
      { do: "restore", config: { "execution.checkpointing.interval": "1 ms" } },
      "faults[0].config.execution.checkpointing.interval: ",
    ],
    [
      "a vertex that is no vertex",
      { do: "restore", job: { vertices: [{ uid: "sum", type: "sun" }] } },
      "faults[0].job.vertices[1].type: ",
    ],
    ["an unknown claim mode", { do: "restore", claimMode: "MINE" }, "faults[0].claimMode: "],
  ])("%s", (_, fault, wanted) => {
    const topics = { ...(small()["topics"] as Json), more: {} };
    const [first] = problems({ ...small(), topics, faults: [{ at, ...fault }] });
    expect(first).toContain(wanted);
  });
});
