import { expect, test } from "vitest";
import { linear } from "./library/linear.ts";
import { documentOfLink, runLink } from "./run-link.ts";

const fault = { at: { step: 12 }, do: "fail-task", target: "MAP[0]" };

test("a link names a library scenario, and carries any other whole; its faults come behind the scenario's own", () => {
  const own = { ...linear, id: "mine" };
  expect(decodeURIComponent(runLink(linear, [fault]))).toBe(
    '#run={"library":"linear","faults":[{"at":{"step":12},"do":"fail-task","target":"MAP[0]"}]}',
  );
  expect(documentOfLink(runLink(linear, [fault]))).toEqual({ ...linear, faults: [...linear.faults, fault] });
  expect(documentOfLink(runLink(own, []))).toEqual(JSON.parse(JSON.stringify(own)));
});

test.each([
  "",
  "#run",
  "#other=1",
  "#run=%",
  "#run=1",
  "#run=null",
  '#run={"library":"no such"}',
  `#run=${"x".repeat(300_000)}`,
])("what is no such link is none: %.20s", (fragment) => {
  expect(documentOfLink(fragment)).toBeNull();
});
