/** Small systems, and all that can happen in them. */
import { at } from "../../base/assert.ts";
import { type Lab, type Setup, begin, possible, take } from "../chandy-lamport.ts";

/** Channels as "P>Q P>R", transfers as "P>Q 20"; every process has 100. */
export function system(channels: string, transfers: readonly string[], more: Partial<Setup> = {}): Setup {
  const pairs = channels.split(" ").map((pair) => pair.split(">"));
  const names = [...new Set(pairs.flat())].toSorted();
  return {
    processes: names.map((name) => ({
      name,
      money: 100,
      transfers: transfers
        .filter((line) => line.startsWith(`${name}>`))
        .map((line) => {
          const [pair = "", amount] = line.split(" ");
          return { channel: channels.split(" ").indexOf(pair), amount: Number(amount) };
        }),
    })),
    channels: pairs.map(([from = "", to = ""]) => ({ from: names.indexOf(from), to: names.indexOf(to) })),
    initiators: [0],
    fifo: true,
    atomic: true,
    ...more,
  };
}

/** P, Q and R, a channel in each direction between every two. */
export const ALL_THREE = "P>Q P>R Q>P Q>R R>P R>Q";

/**
 * Visits every run to its end. Runs that differ only in the order of what happens at different processes are one: what
 * each process has seen tells all.
 */
export function everyRun(setup: Setup, visit: (end: Lab) => void): number {
  const seen = new Set<string>();
  const open: Lab[] = [begin(setup)];
  let ends = 0;
  for (let lab = open.pop(); lab !== undefined; lab = open.pop()) {
    const steps = possible(lab);
    if (steps.length === 0) {
      ends++;
      visit(lab);
    }
    for (const step of steps) {
      const next = take(lab, step);
      const key = seenBy(next);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return ends;
}

function seenBy({ setup, history }: Lab): string {
  const own = setup.processes.map(() => "");
  for (const { do: what, process, channel, message } of history)
    own[process] = `${at(own, process)} ${what}${channel}.${message?.number ?? ""}`;
  return own.join("|");
}
