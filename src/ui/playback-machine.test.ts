import { expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { playbackMachine } from "./playback-machine.ts";

/** Frames on demand instead of the display's. */
function withFrames(): { frame: (now: number) => void; pending: () => number } {
  const waiting = new Map<number, FrameRequestCallback>();
  let last = 0;
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    waiting.set(++last, call);
    return last;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => waiting.delete(id));
  return {
    frame: (now) => {
      const calls = [...waiting.values()];
      waiting.clear();
      for (const call of calls) call(now);
    },
    pending: () => waiting.size,
  };
}

test("playing advances by the time that passes, at most a tenth of a second a frame, and ends at the end", () => {
  const { frame, pending } = withFrames();
  const passed: number[] = [];
  const rewind = vi.fn<() => void>();
  const actor = createActor(playbackMachine, {
    input: {
      advance: (elapsed) => {
        passed.push(elapsed);
        return passed.length === 4 ? "end" : "on";
      },
      rewind,
    },
  }).start();
  actor.send({ type: "toggle" });
  for (const now of [1000, 1016, 5000, 5010]) frame(now);
  expect(passed).toEqual([0, 16, 100, 10]);
  expect(actor.getSnapshot().value).toBe("atEnd");
  expect(pending()).toBe(0);
  actor.send({ type: "play" });
  expect(rewind).toHaveBeenCalledOnce();
  expect(actor.getSnapshot().value).toBe("playing");
});

test("pausing stops the frames; moving away from the end is paused, moving while playing goes on playing", () => {
  const { frame, pending } = withFrames();
  const actor = createActor(playbackMachine, { input: { advance: () => "on", rewind: () => undefined } }).start();
  actor.send({ type: "moved", atEnd: true });
  expect(actor.getSnapshot().value).toBe("atEnd");
  actor.send({ type: "moved", atEnd: false });
  expect(actor.getSnapshot().value).toBe("paused");
  actor.send({ type: "play" });
  frame(0);
  actor.send({ type: "moved", atEnd: false });
  expect(actor.getSnapshot().value).toBe("playing");
  actor.send({ type: "pause" });
  expect(pending()).toBe(0);
});
