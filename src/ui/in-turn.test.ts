import { expect, test, vi } from "vitest";
import { InTurn } from "./in-turn.ts";

/** Something that is waited for until the test says so. */
function waited(): { readonly coming: Promise<void>; readonly come: () => void } {
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { coming, come };
}

test("where nothing is waited for an act is done at once", () => {
  const done: string[] = [];
  const turns = new InTurn();
  turns.do(() => void done.push("a"));
  turns.do(() => void done.push("b"));
  expect(done).toEqual(["a", "b"]);
});

test("what comes behind an act that waits is done behind it, in the order in which it was asked for", async () => {
  const done: string[] = [];
  const turns = new InTurn();
  const { coming, come } = waited();
  turns.do(async () => {
    await coming;
    done.push("a");
  });
  for (const name of ["b", "c"]) turns.do(() => void done.push(name));
  expect(done).toEqual([]);
  come();
  await expect.poll(() => done).toEqual(["a", "b", "c"]);
});

test("what never comes holds up the others for two seconds, not for ever", async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const turns = new InTurn();
  turns.do(() => waited().coming);
  turns.do(() => void done.push("b"));
  await vi.advanceTimersByTimeAsync(1999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(["b"]);
  vi.useRealTimers();
});

test("while it is held nothing is done; then everything is, until one of them brings about that it is held again", () => {
  const done: string[] = [];
  let held = true;
  const turns = new InTurn(() => held);
  turns.do(() => {
    done.push("a");
    held = true;
  });
  turns.do(() => void done.push("b"));
  expect(done).toEqual([]);
  held = false;
  turns.goOn();
  expect(done).toEqual(["a"]);
  held = false;
  turns.goOn();
  expect(done).toEqual(["a", "b"]);
});
