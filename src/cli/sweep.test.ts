import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { documentOfLink } from "../scenario/run-link.ts";
import { inProcessPool } from "../worker/testing/in-process.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { sim } from "./sim.ts";

async function run(
  words: readonly string[],
  terminal = false,
): Promise<{ status: ExitStatus; out: string; error: string }> {
  let [out, error] = ["", ""];
  const io: Io = {
    terminal,
    read: () => null,
    write: () => {},
    out: (text) => (out += text),
    error: (text) => (error += text),
    pool: inProcessPool(2),
  };
  return { status: await sim(words, io), out, error };
}

const doubling = ["sweep", "linear", "--set", "/job/vertices/2/delivery=at-least-once"];

describe("sim sweep", () => {
  test("prints the contract's object when piped", async () => {
    const { status, out } = await run(doubling);
    expect(status).toBe(Exit.ran);
    const told = JSON.parse(out) as { harmful: { link: string; faults: unknown[]; verdict: string }[] };
    expect(told).toMatchObject({
      runs: expect.any(Number),
      distinct: expect.any(Number),
      seconds: expect.any(Number),
      outcomes: { "exactly-once": expect.any(Number), "at-least-once": expect.any(Number), broken: 0 },
      flags: { late: expect.any(Number), regressed: 0, readerBlocked: 0, stuck: 0, jobFailed: 0 },
      covered: expect.stringContaining("single failures"),
      violations: [],
    });
    const [first] = told.harmful;
    expect(first).toMatchObject({
      verdict: "at-least-once",
      faults: [{ at: { step: expect.any(Number) }, do: expect.any(String) }],
      lost: [],
      duplicated: expect.arrayContaining(["in-0@0"]),
    });
    expect(documentOfLink(first?.link ?? "")).toMatchObject({
      id: "linear",
      faults: expect.arrayContaining(first?.faults ?? []),
    });
  });

  test("prints tables and how far it is on a terminal", async () => {
    const { out, error } = await run([...doubling, "--failures", "2", "--pairs", "50"], true);
    expect(out).toMatch(/linear: [\d,]+ runs in/);
    expect(out).toMatch(/Harmful runs, 20 of/);
    expect(out).toMatch(/pairs of crashes at phase boundaries/);
    expect(error).toMatch(/\d+ %, [\d,]+ runs/);
  });

  test("ends with 1 where some run is worse than expected, with 0 where none is", async () => {
    const worse = await run([...doubling, "--expect", "exactly-once"]);
    expect(worse.status).toBe(Exit.worseThanExpected);
    expect(worse.error).toMatch(/expected exactly-once end to end, but \d+ runs are at-least-once/);
    expect((await run([...doubling, "--expect", "at-least-once"])).status).toBe(Exit.ran);
    expect((await run(["sweep", "linear", "--expect", "exactly-once"])).status).toBe(Exit.ran);
  });

  test.each([
    [["sweep", "nothing"], /neither such a file/],
    [["sweep", "linear", "--failures", "3"], /--failures 3: a sweep allows 1 and 2/],
    [["sweep", "linear", "--pairs", "many"], /--pairs many: must be a whole number/],
    [["sweep"], /scenario/],
  ])("%j is bad input", async (words, message) => {
    const { status, error } = await run(words);
    expect(status).toBe(Exit.badInput);
    expect(error).toMatch(message);
  });

  test("works over threads of Node, from the command line itself", () => {
    const script = fileURLToPath(new URL("../../scripts/sim.mjs", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, "sweep", "linear"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ outcomes: { "at-least-once": 0 }, violations: [] });
  });
});
