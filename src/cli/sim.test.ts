import { describe, expect, test, vi } from "vitest";
import * as engine from "../engine/run.ts";
import type { Report } from "../scenario/report.ts";
import { small } from "../scenario/testing/sources.ts";
import { inProcessPool } from "../worker/testing/in-process.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { sim } from "./sim.ts";

interface Ran {
  readonly status: ExitStatus;
  readonly out: string;
  readonly error: string;
  readonly written: { readonly [path: string]: string };
}

/** Runs the command line against files that are not there. */
function run(
  words: readonly string[],
  { terminal = false, files = {} }: { terminal?: boolean; files?: { readonly [path: string]: string } } = {},
): Ran {
  let [out, error] = ["", ""];
  const written: Record<string, string> = {};
  const io: Io = {
    terminal,
    read: (path) => files[path] ?? null,
    write: (path, pieces) => (written[path] = [...pieces].join("")),
    out: (text) => (out += text),
    error: (text) => (error += text),
    pool: inProcessPool(),
  };
  const status = sim(words, io);
  if (typeof status !== "number") throw new Error("this command takes its time");
  return { status, out, error, written };
}

const reportOf = ({ out }: Ran): Report => JSON.parse(out) as Report;
const failing = '{"at":{"after":"CheckpointCompleted","checkpoint":1},"do":"fail-task","target":"MAP[0]"}';
const late = '{"at":{"after":"RecordWritten","record":"in-0@5"},"do":"fail-task","target":"MAP[0]"}';
/** Records 4 and 5 are written again after the failure, and an at-least-once sink shows them twice. */
const doubling = ["linear", "--set", "/job/vertices/2/delivery=at-least-once", "--fault", late];

describe("a run prints its report", () => {
  test("as JSON when piped or asked for, as tables on a terminal", () => {
    const piped = run(["linear"]);
    expect(piped).toMatchObject({ status: Exit.ran, error: "" });
    expect(reportOf(piped)).toMatchObject({
      format: 1,
      scenario: "linear",
      ended: "drained",
      verdict: { endToEnd: "exactly-once" },
    });
    expect(run(["linear", "--report"], { terminal: true }).out).toBe(piped.out);
    expect(run(["--json", "linear"], { terminal: true }).out).toBe(piped.out);
    const shown = run(["linear"], { terminal: true }).out;
    expect(shown).toContain("state exactly-once, end to end exactly-once");
    expect(shown).toMatch(/^Checkpoints\n {2}id {2}status {5}triggered/m);
    expect(shown).toMatch(/^ {2}P-0-1 +SNK\[0\] +COMMITTED +4 /m);
  });

  test("with every key that the contract has, whatever happened", () => {
    expect(Object.keys(reportOf(run(["linear"])))).toEqual([
      "format",
      "scenario",
      "ended",
      "steps",
      "clock",
      "broken",
      "submissions",
      "job",
      "deployment",
      "rejectedTriggers",
      "notices",
      "checkpoints",
      "files",
      "recoveries",
      "transactions",
      "sources",
      "delivery",
      "globalCommits",
      "background",
      "state",
      "verdict",
      "invariants",
    ]);
  });

  test("of a file as of a library scenario, the same each time", () => {
    const files = {
      "a.scenario.json": JSON.stringify(small({ config: { "execution.checkpointing.interval": "100 ms" } })),
    };
    const first = run(["a.scenario.json"], { files });
    expect(first).toMatchObject({ status: Exit.ran, error: "" });
    expect(reportOf(first).delivery[0]).toMatchObject({ sink: "out", expected: 4, seen: 4 });
    expect(run(["a.scenario.json"], { files }).out).toBe(first.out);
  });

  test("and writes the trace as one JSON object a line", () => {
    const { written, out } = run(["linear", "--trace", "t.ndjson"]);
    const lines = (written["t.ndjson"] ?? "")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { step: number });
    expect(lines).toHaveLength((JSON.parse(out) as Report).steps);
    expect(lines.map(({ step }) => step)).toEqual(lines.map((_, step) => step));
  });
});

describe("what is changed on the command line", () => {
  test("faults are added, in order", () => {
    const report = reportOf(
      run(["linear", "--fault", failing, "--fault", '{"at":{"time":"20 s"},"do":"fail-task","target":"SRC[0]"}']),
    );
    expect(report.recoveries.map(({ restarted }) => restarted)).toEqual([
      ["SRC[0]", "MAP[0]", "SNK[0]"],
      ["SRC[0]", "MAP[0]", "SNK[0]"],
    ]);
    expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("X-03: a cut through the run starts the job from it: right where it is consistent, doubled where it is not", () => {
    const cut = (places: object): string[] => [
      "order-totals",
      "--fault",
      JSON.stringify({ at: { after: "RecordEmitted", record: "orders-0@20" }, do: "restore-cut", cut: places }),
    ];
    const here = reportOf(run(cut({})));
    expect(here.submissions.map(({ status, from }) => [status, from])).toEqual([
      ["CANCELED", null],
      ["RUNNING", "cut"],
    ]);
    expect(here.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
    const ahead = cut({ "total[0]": 30, "out[0]": 12, log: 4 });
    expect(reportOf(run(ahead)).verdict).toEqual({ state: "at-least-once", endToEnd: "at-least-once" });
    expect(run(ahead, { terminal: true }).out).toMatch(
      /^Submissions\n {2}at .*\n {2}0\.000 s +- +CANCELED +0\n {2}1\.3\d\d s +cut +RUNNING +0\n/m,
    );
    expect(run(["order-totals"], { terminal: true }).out).not.toContain("Submissions");
    const wrong = run(cut({ "sum[0]": 3 }));
    expect(wrong.status).toBe(Exit.badInput);
    expect(wrong.error).toContain("sum[0]");
  });

  test("the seed, Flink's options, and any place of the file", () => {
    const report = reportOf(
      run([
        "order-totals",
        "--seed",
        "7",
        "--set",
        "execution.checkpointing.interval=500 ms",
        "--set",
        "/id=other",
        "--set",
        "/topics/orders/records=20",
      ]),
    );
    expect(report).toMatchObject({ scenario: "other" });
    expect(report.sources.map(({ position }) => position)).toEqual([10, 10]);
  });

  test.each<[readonly string[], RegExp]>([
    [["linear", "--set", "x"], /--set x: must be KEY=VALUE/],
    [["linear", "--set", "/job/vertices/9/uid=x"], /the list has no place 9/],
    [["linear", "--set", "/id/x=1"], /id is neither an object nor a list/],
    [["linear", "--fault", "{"], /--fault \{: not JSON/],
    [["linear", "--seed", "x"], /seed: "x"\n {2}Must be a whole number/],
    [["linear", "--set", "/__proto__/x=1"], /__proto__: .*\n {2}No key and no name may be called so/],
  ])("%j is bad input", (words, message) => {
    const { status, error, out } = run(words);
    expect(status).toBe(Exit.badInput);
    expect(error).toMatch(message);
    expect(out).toBe("");
  });
});

describe("the exit status", () => {
  test("0: ran, whatever the verdict; 1 where another one was expected", () => {
    expect(run(doubling)).toMatchObject({ status: Exit.ran });
    const worse = run([...doubling, "--expect", "exactly-once"]);
    expect(worse.status).toBe(Exit.worseThanExpected);
    expect(worse.error).toBe("expected exactly-once end to end, the run is at-least-once\n");
    expect(run([...doubling, "--expect", "at-least-once"]).status).toBe(Exit.ran);
    expect(run(["linear", "--expect", "at-most-once"]).status).toBe(Exit.ran);
  });

  test("1 too where the run ended before it can be told", () => {
    expect(run(["linear", "--set", '/until={"time":"300 ms"}', "--expect", "broken"])).toMatchObject({
      status: Exit.worseThanExpected,
      error: "expected broken end to end, the run is pending\n",
    });
  });

  test.each<[readonly string[], RegExp]>([
    [[], /a scenario file or the id of a library scenario is missing/],
    [["nowhere.json"], /neither such a file nor such a library scenario\. Library: order-totals, orders, linear/],
    [["linear", "shuffle"], /one scenario at a time/],
    [["linear", "--expect", "perfect"], /--expect perfect: allowed are exactly-once, effectively-once/],
    [["linear", "--expect", "pending"], /--expect pending/],
    [["linear", "--wat"], /Unknown option '--wat'/],
    [["doctor", "flink.yaml"], /sim doctor: not yet/],
  ])("2: %j is bad input", (words, message) => {
    const { status, error } = run(words);
    expect(status).toBe(Exit.badInput);
    expect(error).toMatch(message);
  });

  test("2: a file that cannot be read or written is told, not thrown", () => {
    const broken: Io = {
      terminal: false,
      read: () => {
        throw new Error("EISDIR: illegal operation on a directory");
      },
      write: () => {
        throw new Error("ENOSPC: no space left on device");
      },
      out: () => {},
      error: (text) => told.push(text),
      pool: inProcessPool(),
    };
    const told: string[] = [];
    expect(sim(["folder"], broken)).toBe(Exit.badInput);
    expect(sim(["linear", "--trace", "t"], broken)).toBe(Exit.badInput);
    expect(told).toEqual([
      "folder\n  The file cannot be read: EISDIR: illegal operation on a directory.\n",
      "--trace t: the file cannot be written: ENOSPC: no space left on device\n",
    ]);
  });

  test("2: each problem of a file says where, what stands there, and what is allowed", () => {
    const files = {
      "bad.json": '{"format": 1, "job": {"vertices": []},}',
      "odd.json": JSON.stringify(small({ seed: "x", flink: "2.0" })),
    };
    expect(run(["bad.json"], { files })).toMatchObject({
      status: Exit.badInput,
      out: "",
      error: expect.stringMatching(/^"\}"\n {2}Not JSON: line 1, column 39: /) as string,
    });
    expect(run(["odd.json"], { files })).toMatchObject({
      status: Exit.badInput,
      error:
        'flink: "2.0"\n  Not known here. Did you mean "2.2"? Allowed: 1.18, 1.20, 2.2, 2.3.\nseed: "x"\n  Must be a whole number from 0 to 4294967295.\n',
    });
  });

  test("3: an invariant was violated", () => {
    const violation = { invariant: "INV-001", step: 7, message: "what should be, what is", entities: ["MAP[0]"] };
    const real = engine.runScenario;
    const spy = vi
      .spyOn(engine, "runScenario")
      .mockImplementation((scenario, options) => ({ ...real(scenario, options), violations: [violation] }));
    expect(run(["linear", "--expect", "exactly-once"])).toMatchObject({
      status: Exit.ourDefect,
      error: "INV-001 is violated at step 7 (MAP[0]): what should be, what is\n",
    });
    spy.mockRestore();
  });
});

describe("beside runs", () => {
  test("list tells scenarios, events, faults and rules that can be broken", () => {
    const listed = JSON.parse(run(["list"]).out) as {
      scenarios: { id: string; title: object; tags: string[] }[];
      lessons: [];
      events: { type: string }[];
      faults: string[];
      broken: string[];
    };
    expect(listed.scenarios.map(({ id }) => id)).toEqual([
      "order-totals",
      "orders",
      "linear",
      "shuffle",
      "two-lanes",
      "modes",
      "bounded",
      "unaligned",
      "aligned-timeout",
      "savepoint",
      "stop-with-savepoint",
      "pooled-ids",
      "global-committer",
      "blocked-reader",
      "file-sink",
      "database-commit",
      "write-ahead-log",
      "upsert",
      "commit-at-barrier",
      "file-source",
      "database-source",
      "socket",
    ]);
    expect(Object.keys(listed.scenarios[0] ?? {})).toEqual(["id", "title", "tags"]);
    expect(listed.events.map(({ type }) => type)).toContain("CheckpointCompleted");
    expect(listed.faults).toContain("kill-taskmanager");
    expect(listed.broken).toContain("commit-at-barrier");
    expect(run(["list"], { terminal: true }).out).toMatch(/^Scenarios\n {2}id/m);
  });

  test("the JSON Schema and the usage go to standard output", () => {
    expect(JSON.parse(run(["--schema"]).out)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
    });
    expect(run(["--help"])).toMatchObject({
      status: Exit.ran,
      out: expect.stringMatching(/^usage: sim FILE\|ID/) as string,
      error: "",
    });
  });
});
