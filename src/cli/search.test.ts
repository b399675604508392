import { expect, test } from "vitest";
import { linear } from "../scenario/library/linear.ts";
import { inProcessPool } from "../worker/testing/in-process.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { sim } from "./sim.ts";

function run(words: readonly string[], files: { readonly [path: string]: string } = {}, terminal = false) {
  let [out, error] = ["", ""];
  const io: Io = {
    terminal,
    read: (path) => files[path] ?? null,
    write: () => {},
    out: (text) => (out += text),
    error: (text) => (error += text),
    pool: inProcessPool(),
  };
  return { status: sim(words, io) as ExitStatus, out, error };
}

interface Told {
  readonly states: number;
  readonly exhaustive: boolean;
  readonly covered: string;
  readonly violations: readonly {
    readonly property: string;
    readonly steps: number;
    readonly scenario: unknown;
    readonly story: { readonly en: string; readonly zh: string };
  }[];
}

const told = (out: string): Told => JSON.parse(out) as Told;

test("search tells what it has covered, as JSON when piped and as a table on a terminal", () => {
  const { status, out } = run(["search", "linear", "--failures", "0"]);
  expect(status).toBe(Exit.ran);
  expect(Object.keys(told(out))).toEqual(["states", "transitions", "seconds", "exhaustive", "covered", "violations"]);
  expect(told(out)).toMatchObject({ exhaustive: true, violations: [] });
  expect(told(out).covered).toMatch(
    /^All orders with 2 input records \(of 12; the rest is left out\), up to 0 failures/,
  );
  expect(run(["search", "linear", "--failures", "0"], {}, true).out).toMatch(/exhaustive\n.*\n {2}nothing is violated/);
});

test("a bound on the states is told", () => {
  const { status, out } = run(["search", "linear", "--states", "500"]);
  expect(status).toBe(Exit.ran);
  expect(told(out)).toMatchObject({ exhaustive: false });
  expect(told(out).states).toBeLessThan(600);
  expect(told(out).covered).toContain("Not all");
});

test("1: what the scenario promises is not kept, and the file that shows it does", () => {
  const { "execution.checkpointing.interval": _, ...config } = linear.config;
  // Nothing triggers a checkpoint, so the transaction is given up.
  const text = JSON.stringify({ ...linear, config, faults: [] });
  const found = run(["search", "no-checkpoints.json", "--failures", "0"], { "no-checkpoints.json": text });
  expect(found.status).toBe(Exit.worseThanExpected);
  const [violation] = told(found.out).violations;
  expect(violation).toMatchObject({ property: "end to end: no record is lost", steps: 40 });
  expect(violation?.story.en).toBe("P-0-1 times out.");
  expect(violation?.story.zh).toBe("P-0-1 超时。");
  const shown = run(["found.json"], { "found.json": JSON.stringify(violation?.scenario) });
  expect(JSON.parse(shown.out)).toMatchObject({
    verdict: { endToEnd: "at-most-once" },
    delivery: [{ lost: ["in-0@0"] }, {}],
  });
});

test("2: bad input", () => {
  expect(run(["search"]).status).toBe(Exit.badInput);
  expect(run(["search", "nowhere"]).status).toBe(Exit.badInput);
  expect(run(["search", "linear", "--states", "many"])).toMatchObject({
    status: Exit.badInput,
    error: expect.stringContaining("--states many: must be a whole number") as string,
  });
});
