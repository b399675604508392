/** Playing, pausing, having come to the end. What moves the cursor is given from outside; the machine only says when. */
import { type ActorRefFrom, fromCallback, setup } from "xstate";

export type PlaybackEvent =
  | { readonly type: "play" }
  | { readonly type: "pause" }
  | { readonly type: "toggle" }
  /** Playing has reached the end of what there is. */
  | { readonly type: "end" }
  /** The cursor was put somewhere by hand. */
  | { readonly type: "moved"; readonly atEnd: boolean };

/** Whether playing goes on, has come to the end, or to something that stops it. */
export type Progress = "on" | "end" | "pause";

/** Called for each frame while playing, with the milliseconds since the last one. */
export type Advance = (elapsed: number) => Progress;

const frames = fromCallback<PlaybackEvent, { advance: Advance }>(({ sendBack, input }) => {
  let last: number | null = null;
  const frame = (now: number): void => {
    // A tab that was in the background does not jump ahead.
    const elapsed = last === null ? 0 : Math.min(now - last, 100);
    last = now;
    request = requestAnimationFrame(frame);
    const progress = input.advance(elapsed);
    if (progress !== "on") sendBack({ type: progress });
  };
  let request = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(request);
});

export const playbackMachine = setup({
  types: {
    events: {} as PlaybackEvent,
    context: {} as { advance: Advance; rewind: () => void },
    input: {} as { advance: Advance; rewind: () => void },
  },
  actors: { frames },
  guards: { atEnd: ({ event }) => event.type === "moved" && event.atEnd },
  actions: { rewind: ({ context }) => context.rewind() },
}).createMachine({
  id: "playback",
  context: ({ input }) => input,
  initial: "paused",
  states: {
    paused: {
      on: { play: "playing", toggle: "playing", moved: { guard: "atEnd", target: "atEnd" } },
    },
    playing: {
      invoke: { src: "frames", input: ({ context }) => ({ advance: context.advance }) },
      on: { pause: "paused", toggle: "paused", end: "atEnd" },
    },
    atEnd: {
      on: {
        play: { target: "playing", actions: "rewind" },
        toggle: { target: "playing", actions: "rewind" },
        moved: [{ guard: "atEnd" }, { target: "paused" }],
      },
    },
  },
});

export type PlaybackActor = ActorRefFrom<typeof playbackMachine>;
