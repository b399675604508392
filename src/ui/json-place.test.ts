import { expect, test } from "vitest";
import { placeOfPath } from "./json-place.ts";

const text = `{
  "job": { "vertices": [ { "uid": "a" }, { "uid": "b", "parallelism": "many" } ] },
  "config": { "execution.checkpointing.interval": "1 parsec" }
}`;

function found(path: string): string | null {
  const place = placeOfPath(text, path);
  return place === null ? null : text.slice(place.from, place.to);
}

test("a path of keys and indices leads to the field with its value", () => {
  expect(found("job.vertices[1].parallelism")).toBe('"parallelism": "many"');
  expect(found("job.vertices[0].uid")).toBe('"uid": "a"');
});

test("a key that holds dots is one key", () => {
  expect(found("config.execution.checkpointing.interval")).toBe('"execution.checkpointing.interval": "1 parsec"');
});

test("a field that is missing leads to what should hold it", () => {
  expect(found("job.vertices[0].parallelism")).toBe('{ "uid": "a" }');
});

test("text that is no JSON has no places", () => {
  expect(placeOfPath("{ oops", "job")).toBeNull();
});
