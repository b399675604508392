import { expect, test } from "vitest";
import { moved } from "./walk.ts";

const row = (path: string, level: 1 | 2 | 3, open: boolean | null) => ({ path, level, open });
const rows = [
  row("jobManager", 1, null),
  row("vertex:a", 1, true),
  row("subtask:a[0]", 2, false),
  row("storage", 1, null),
];
const from = (index: number) => rows[index] ?? row("", 1, null);

test("up and down lead to the rows beside, and stay at the ends", () => {
  expect(moved(rows, from(1), "ArrowDown")).toBe("subtask:a[0]");
  expect(moved(rows, from(0), "ArrowUp")).toBe("jobManager");
  expect(moved(rows, from(3), "ArrowDown")).toBe("storage");
  expect(moved(rows, from(1), "End")).toBe("storage");
  expect(moved(rows, from(3), "PageUp")).toBe("jobManager");
});

test("right opens and then goes in, left closes and then goes out", () => {
  expect(moved(rows, from(2), "ArrowRight")).toBe("turn");
  expect(moved(rows, from(1), "ArrowRight")).toBe("subtask:a[0]");
  expect(moved(rows, from(1), "ArrowLeft")).toBe("turn");
  expect(moved(rows, from(2), "ArrowLeft")).toBe("vertex:a");
  expect(moved(rows, from(0), "ArrowRight")).toBe("jobManager");
});

test("any other key has no way", () => {
  expect(moved(rows, from(0), "x")).toBeNull();
});
