import { expect, test } from "vitest";
import { parseJson } from "./json-text.ts";

const told = (text: string): string[] => {
  const result = parseJson(text);
  return result.ok ? [] : result.problems.map(({ path, value, message }) => `${path}: ${value}: ${message}`);
};

test("what JSON allows is read as JSON.parse reads it", () => {
  const text = '{"a": [1, -0.5e+3, true, false, null, "\\u00e9\\n \\" 中"], "b": {}, "c": []}\n';
  expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
});

test.each([
  [
    '{\n  "a": 1,\n}',
    ': "}": Not JSON: line 3, column 1: a key in double quotes is expected; a comma before "}" is not allowed.',
  ],
  ['{"a" 1}', ': "1": Not JSON: line 1, column 6: ":" is expected.'],
  ["[1 2]", ': "2": Not JSON: line 1, column 4: "," or "]" is expected.'],
  ['{"a": tru}', ': "t": Not JSON: line 1, column 7: a value is expected.'],
  [
    '{"a": "x\ny"}',
    ': "\\"": Not JSON: line 1, column 7: this string does not end, or holds a sign that must be escaped.',
  ],
  ["", ": the end of the text: Not JSON: line 1, column 1: a value is expected."],
  ["{} {}", ': "{": Not JSON: line 1, column 4: the document ends here; only one value may stand in it.'],
])("the first mistake of %j is told with line and column", (text, problem) => {
  expect(told(text)).toEqual([problem]);
});

test("a key that stands twice in one object is refused, which JSON.parse passes over", () => {
  expect(told('{"job": {"a.b": 1, "a.b": 2}, "x": [{"y": 1, "y": 2}]}')).toEqual([
    'job.a.b: "a.b": This key is given twice.',
    'x[0].y: "y": This key is given twice.',
  ]);
});

test("nesting without end is refused, not followed", () => {
  expect(told("[".repeat(100_000))).toEqual([': "[": Not JSON: line 1, column 102: nested deeper than 100 levels.']);
});
