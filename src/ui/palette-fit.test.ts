import { expect, test } from "vitest";
import { fit } from "./palette-fit.ts";

test("each word typed begins a word of the name, or of what stands beside it", () => {
  expect(fit("Forward one event", ".", "for ev")).toBe(1);
  expect(fit("Forward one event", ".", "forward o")).toBe(0);
  expect(fit("total[1]", "subtask", "sub total")).toBe(1);
  expect(fit("Kafka to Kafka, exactly once", "order-totals", "totals")).toBe(1);
});

test("a word inside another fits worse, a strange one not at all", () => {
  expect(fit("Kill sweep", "K", "weep")).toBe(2);
  expect(fit("Kill sweep", "K", "kill zebra")).toBeNull();
});

test("nothing typed fits everything", () => {
  expect(fit("Kill sweep", "K", " ")).toBe(0);
});
