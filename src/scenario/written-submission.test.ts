import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import type { Result } from "../base/result.ts";
import { library } from "./library.ts";
import { scenarioFrom } from "./parse.ts";
import type { Command } from "./scenario.ts";
import type { CommandText } from "./command-text.ts";
import { faultText } from "./exploration.ts";
import { jobAsWritten, jobText, submissionCommand } from "./written-submission.ts";

const document = library.find(({ id }) => id === "order-totals")?.source;
const none = { uids: {}, parallelism: {}, maxParallelism: null };

const read = (result: Result<Command>): Command => {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
};
const restore = (job: object | null, more: object = {}): CommandText => ({
  do: "restore",
  from: "savepoint",
  ...(job !== null && { job }),
  ...more,
});
const widthsOf = ({ submission }: Command): string =>
  (submission?.job.vertices ?? []).map(({ uid, parallelism }) => `${uid} ${parallelism}`).join(", ");

describe("a job that is asked for again", () => {
  test("nothing that changes is not written", () => {
    expect(jobText(jobAsWritten(document, []), none)).toBe(null);
    expect(jobText(jobAsWritten(document, []), { ...none, uids: { total: "total" } })).toBe(null);
  });

  test("another parallelism, and another maximum", () => {
    const job = jobText(jobAsWritten(document, []), { ...none, parallelism: { total: 3 }, maxParallelism: 64 });
    expect(job).toEqual({ maxParallelism: 64, vertices: [{ uid: "total", parallelism: 3 }] });
    const command = read(submissionCommand(document, [], restore(job)));
    expect(widthsOf(command)).toBe("orders 2, total 3, out 1");
    expect(command.submission?.job.maxParallelism).toBe(64);
  });

  test("behind others it changes the job that they left", () => {
    const first = read(submissionCommand(document, [], { do: "rescale", vertex: "total", parallelism: 3 }));
    const job = jobText(jobAsWritten(document, [first]), { ...none, parallelism: { out: 2 } });
    const second = read(submissionCommand(document, [first], restore(job)));
    expect(widthsOf(second)).toBe("orders 2, total 3, out 2");
    const renamed = jobText(jobAsWritten(document, [first, second]), { ...none, uids: { total: "sum" } });
    expect(widthsOf(read(submissionCommand(document, [first, second], restore(renamed))))).toBe(
      "orders 2, sum 3, out 2",
    );
  });

  test("SK-155: with another uid the whole job is written, and the sink's transactions keep their names", () => {
    const job = jobText(jobAsWritten(document, []), { ...none, uids: { out: "sink" } });
    const { submission } = read(submissionCommand(document, [], restore(job)));
    const sink = submission?.job.vertices.find(({ uid }) => uid === "sink");
    expect(sink).toMatchObject({ type: "kafka-sink", transactionalIdPrefix: "out" });
    expect(submission?.job.edges.map(({ from, to }) => `${from} ${to}`)).toEqual(["orders total", "total sink"]);
  });

  test("what a scenario file would be refused for is refused with its words", () => {
    const job = jobText(jobAsWritten(document, []), { ...none, uids: { total: "out" } });
    const result = submissionCommand(document, [], restore(job));
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toContain(
      "Another vertex has this uid; each must have its own.",
    );
  });

  test("as a fault in a file it does what the command does", () => {
    const job = jobText(jobAsWritten(document, []), { ...none, uids: { total: "sum" }, parallelism: { total: 3 } });
    const command = read(submissionCommand(document, [], restore(job, { allowNonRestoredState: true })));
    const stop = { at: { time: "1 s" }, do: "stop-with-savepoint", path: "s3://demo/savepoints" };
    const { at: _, ...text } = faultText({ step: 0, command });
    const faults = [stop, { at: { after: "JobStatusChanged", to: "FINISHED" }, ...text }];
    const scenario = scenarioFrom({ ...document, faults });
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
    const { report } = runScenario(scenario.value);
    expect(report.submissions.map(({ refused, dropped }) => [refused, dropped])).toEqual([
      [null, []],
      [null, ["total"]],
    ]);
  });
});
