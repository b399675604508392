/** A job whose only work is its checkpoints, for tests of when they are triggered and how they end. */
import { type Small, type Story, sink, small, source, story } from "./stories.ts";

const instant = {
  rpc: 0,
  network: 0,
  deploy: 0,
  cancel: 0,
  restore: 0,
  commit: 0,
  initTransactions: 0,
  "snapshot.sync": 0,
  "snapshot.async": 0,
};

/** One task that reads nothing; everything but its asynchronous part, of `duration`, takes no time. The first fire is at 1000. */
export function clockworkJob(
  interval: number,
  minPause: number,
  duration: number,
  more: Partial<Small> = {},
): ReturnType<typeof small> {
  return small({
    vertices: [source("S", { chain: true }), sink("K", { chain: true, delivery: "none" })],
    edges: ["S forward K"],
    topics: { in: { records: 0 } },
    initialDelay: 1000,
    until: { time: 11_000 },
    ...more,
    timing: { ...instant, "snapshot.async": duration, ...more.timing },
    checkpointing: { interval, "min-pause": minPause, ...more.checkpointing },
  });
}

export function clockwork(interval: number, minPause: number, duration: number, more: Partial<Small> = {}): Story {
  return story(clockworkJob(interval, minPause, duration, more));
}
