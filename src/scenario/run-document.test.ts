import { describe, expect, test } from "vitest";
import { library } from "./library.ts";
import { linear } from "./library/linear.ts";
import { isRunDocument, readRun, writtenFork, writtenScenario, writtenSource } from "./run-document.ts";
import { scenarioFrom } from "./parse.ts";

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const fail = { do: "fail-task", target: "map[0]" };

describe("the scenario of a run", () => {
  test("is the library's by its id, or what makes it another, or whole where that is shorter", () => {
    expect(writtenScenario(linear)).toEqual({ library: "linear" });
    expect(writtenScenario({ ...linear, seed: 77 })).toEqual({ library: "linear", change: [[["seed"], 77]] });
    const strange = { hello: "world" };
    expect(writtenScenario(strange)).toEqual({ scenario: strange });
  });

  test("comes back as it was, for every scenario of the library", () => {
    for (const { id, source } of library) {
      const read = readRun(json({ ...writtenSource(source), step: 3 }));
      expect(read).toMatchObject({ ok: true, value: { library: id, step: 3, branch: 0, forks: [], left: [] } });
      const changed = { ...(json(source) as object), seed: 4321 };
      const again = readRun(json({ ...writtenSource(changed), step: 0 }));
      expect(again).toMatchObject({ ok: true, value: { library: null, scenario: { seed: 4321 } } });
      expect(again.ok && again.value.source).toEqual(changed);
    }
  });
});

describe("what was decided", () => {
  const parsed = scenarioFrom({ ...linear, faults: [{ at: { step: 5 }, ...fail, target: "MAP[0]" }] });
  const command = parsed.ok ? parsed.value.faults[0] : undefined;

  test("is a tree: each branch is read as a fault of the run that it leaves", () => {
    expect(command).toBeDefined();
    const { at: _, ...decided } = command!;
    const document = {
      ...writtenSource(linear),
      step: 40,
      branch: 2,
      forks: [writtenFork(0, 20, decided, "first"), writtenFork(1, 30, decided, null)],
    };
    expect(readRun(json(document))).toMatchObject({
      ok: true,
      value: {
        branch: 2,
        forks: [
          { branch: 0, step: 20, command: decided, name: "first" },
          { branch: 1, step: 30, command: decided, name: null },
        ],
        left: [],
      },
    });
  });

  test("is left out from the first on that this version cannot read, and that is said", () => {
    const forks = [
      { branch: 0, step: 20, command: { do: "fail-task", target: "MAP[0]" } },
      { branch: 0, step: 21, command: { do: "fail-task", target: "nobody[9]" } },
      { branch: 2, step: 22, command: { do: "fail-task", target: "MAP[0]" } },
    ];
    const read = readRun({ run: 1, library: "linear", step: 1, branch: 3, forks });
    expect(read).toMatchObject({ ok: true, value: { branch: 0, left: [{ path: "forks[1]" }] } });
    expect(read.ok && read.value.forks).toHaveLength(1);
    expect(read.ok && read.value.left[0]?.message).toMatch(/nobody\[9\]|MAP\[0\]/);
    const ahead = readRun({ run: 1, library: "linear", step: 1, forks: [{ branch: 4, step: 1, command: fail }] });
    expect(ahead).toMatchObject({ ok: true, value: { forks: [], left: [{ path: "forks[0]" }] } });
  });
});

test.each([
  ["no run", 7, ""],
  ["a scenario", linear, ""],
  ["another form", { run: 99, library: "linear", step: 0 }, "run"],
  ["a scenario that the library does not have", { run: 1, library: "nowhere", step: 0 }, "library"],
  ["a change of what is not there", { run: 1, library: "linear", change: [[["no", "such"], 1]], step: 0 }, "change"],
  ["a change that is none", { run: 1, library: "linear", change: ["x"], step: 0 }, "change"],
  ["no scenario", { run: 1, step: 0 }, ""],
  ["a scenario with a mistake", { run: 1, scenario: { ...linear, seed: "x" }, step: 0 }, "seed"],
])("%s is refused with the place", (_, value, path) => {
  const read = readRun(json(value));
  expect(read.ok).toBe(false);
  expect(!read.ok && read.problems[0]?.path).toBe(path);
  expect(!read.ok && read.problems[0]?.message.length).toBeGreaterThan(10);
});

test("numbers and words that are none are as if they were not there", () => {
  const read = readRun({
    run: 1,
    library: "linear",
    step: -4,
    branch: "x",
    selection: 3,
    panel: {},
    marks: [[1], "x", [2, 3]],
  });
  expect(read).toMatchObject({
    ok: true,
    value: { step: 0, branch: 0, selection: null, panel: null, marks: [[2, 3]] },
  });
  expect(isRunDocument({ job: {}, run: 1 })).toBe(false);
});
