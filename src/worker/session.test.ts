import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { command as commandOf, libraryScenario } from "../engine/testing/runs.ts";
import { runScenario } from "../engine/run.ts";
import { EventLog } from "../protocol/log.ts";
import { traceLines } from "../protocol/trace.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Report } from "../scenario/report.ts";
import { readRun, writtenFork, writtenSource } from "../scenario/run-document.ts";
import type { Reply } from "./port.ts";
import { EngineSession } from "./session.ts";

/** A session whose slices are run by hand. */
function sessionOf(now: () => number = () => performance.now()): {
  session: EngineSession;
  replies: Reply[];
  work: () => void;
} {
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  const session = new EngineSession({
    reply: (reply) => replies.push(reply),
    later: (work) => waiting.push(work),
    now,
  });
  const work = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  };
  return { session, replies, work };
}

/** Lets the session work until a run's end is told. */
const untilEnd = async ({ replies, work }: { replies: readonly Reply[]; work: () => void }, runs = 1): Promise<void> =>
  expect
    .poll(() => {
      work();
      return ends(replies);
    })
    .toHaveLength(runs);

const ends = (replies: readonly Reply[]): Reply[] => replies.filter(({ type }) => type === "ended");

test("a run's report comes after its last entry, and is the one that the terminal gives", async () => {
  const scenario = libraryScenario("order-totals");
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario, checkInvariants: true });
  await untilEnd({ replies, work });
  const { report } = runScenario(scenario, { checkInvariants: true });
  expect(replies.at(-1)).toEqual({ type: "ended", session: 1, branch: 0, report });
  expect(new Set(replies.map(({ type }) => type))).toEqual(new Set(["opened", "appended", "ended"]));
});

/** What a session makes of a run document, as JSON and read again: the trace of its last branch, and its report. */
async function replayed(document: unknown): Promise<{ trace: string[]; report: Report }> {
  const read = readRun(JSON.parse(JSON.stringify(document)));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { scenario, forks } = read.value;
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario, checkInvariants: true });
  await untilEnd({ replies, work });
  for (const [index, { branch, step, command }] of forks.entries()) {
    session.handle({ type: "fork", session: 1, branch, step, command });
    await untilEnd({ replies, work }, index + 2);
  }
  const logs = [new EventLog()];
  for (const reply of replies) {
    if (reply.type === "forked")
      logs[reply.branch.id] = new EventLog(logs[reply.branch.parent ?? 0], reply.branch.step);
    if (reply.type === "appended") logs[reply.branch]?.appendChunk(reply.chunk);
  }
  const last = replies.at(-1);
  if (last?.type !== "ended") throw new Error("it has come to its end");
  // A cut changes nothing of the job.
  const graph = executionGraph(scenario);
  return { trace: [...traceLines([graph, graph], logs[forks.length] ?? new EventLog())], report: last.report };
}

test("X-03: a branch from a drawn cut is the same, byte by byte, from its document and as the terminal runs it", async () => {
  const { source } = at(
    library,
    library.findIndex(({ id }) => id === "order-totals"),
  );
  for (const [step, cut, verdict] of [
    [380, {}, "exactly-once"],
    [380, { "total[0]": 30, "out[0]": 12, log: 4 }, "at-least-once"],
  ] as const) {
    const command = commandOf("restore-cut", null, { cut });
    const document = { ...writtenSource(source), forks: [writtenFork(0, step, command, "cut")], branch: 1, step };
    const made = await replayed(document);
    const again = await replayed(document);
    expect(again).toEqual(made);
    const read = scenarioFrom({ ...(source as object), faults: [{ at: { step }, do: "restore-cut", cut }] });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const { graphs, log, report } = runScenario(read.value);
    expect(made.trace).toEqual([...traceLines(graphs, log)]);
    expect(made.report).toEqual(report);
    expect(report.submissions.map(({ from }) => from)).toEqual([null, "cut"]);
    expect(report.verdict.endToEnd).toBe(verdict);
  }
});

test("the end of a run that has been left for another is not told", async () => {
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario: libraryScenario("order-totals"), checkInvariants: true });
  work();
  session.handle({ type: "open", session: 2, scenario: libraryScenario("linear"), checkInvariants: true });
  await untilEnd({ replies, work });
  expect(ends(replies)).toMatchObject([{ session: 2 }]);
});

/** A clock on which every look costs half a slice, so that a slice is two looks. */
function ticking(): () => number {
  let time = 0;
  return () => (time += 4);
}

test("a run is sent whenever it has grown by an eighth: ten times as long, not ten times as often", () => {
  const { session, replies, work } = sessionOf(ticking());
  session.handle({ type: "open", session: 1, scenario: libraryScenario("order-totals"), checkInvariants: false });
  work();
  const chunks = replies.flatMap((reply) => (reply.type === "appended" ? [reply.chunk] : []));
  const ends = chunks.map(({ from, rows }) => ({ from, to: from + rows.length / 8 }));
  expect(ends.length).toBeGreaterThan(2);
  for (const [index, { from, to }] of ends.entries()) {
    expect(from).toBe(ends[index - 1]?.to ?? 0);
    if (index < ends.length - 1) expect(to - from).toBeGreaterThanOrEqual(to / 8);
  }
});

test("a run that is paused stays as it is until it is resumed, and comes to the same end", async () => {
  const scenario = libraryScenario("order-totals");
  const { session, replies, work } = sessionOf(ticking());
  session.handle({ type: "open", session: 1, scenario, checkInvariants: true });
  session.handle({ type: "pause", session: 1, branch: 0 });
  work();
  expect(replies.map(({ type }) => type)).toEqual(["opened", "paused"]);
  session.handle({ type: "resume", session: 1, branch: 0 });
  await untilEnd({ replies, work });
  const { report } = runScenario(scenario, { checkInvariants: true });
  expect(replies.at(-1)).toEqual({ type: "ended", session: 1, branch: 0, report });
});

test("a run that is paused while it is judged has no verdict until it is resumed", async () => {
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario: libraryScenario("order-totals"), checkInvariants: true });
  work();
  session.handle({ type: "pause", session: 1, branch: 0 });
  const paused = (): boolean => replies.some(({ type }) => type === "paused");
  await expect.poll(() => (work(), paused())).toBe(true);
  expect(ends(replies)).toEqual([]);
  session.handle({ type: "resume", session: 1, branch: 0 });
  await untilEnd({ replies, work });
});
