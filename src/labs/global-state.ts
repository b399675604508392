/**
 * What a snapshot has recorded, and whether it is a consistent cut (CP-233). Judged by the history alone: what is inside
 * the cut is what happened at a process before it recorded its state.
 */
import { at } from "../base/assert.ts";
import { type Entry, type Lab, type Message, type Setup, begin, take } from "./chandy-lamport.ts";

/** Each process's money and what is in each channel, the oldest first. */
export interface GlobalState {
  readonly money: readonly number[];
  readonly channels: readonly (readonly Message[])[];
}

/** CP-232: the snapshot, once every process is done; `null` before. */
export function recordedState({ processes, channels }: Lab): GlobalState | null {
  if (processes.some(({ state }) => state !== "COMPLETE")) return null;
  return {
    money: processes.map(({ recorded }) => recorded ?? 0),
    channels: channels.map(({ recorded }) => recorded),
  };
}

/** The state that the system is in. */
export function presentState({ processes, channels }: Lab): GlobalState {
  return {
    money: processes.map(({ money }) => money),
    channels: channels.map(({ queue }) => queue.filter((item) => item !== null)),
  };
}

export function moneyIn({ money, channels }: GlobalState): number {
  return [...money, ...channels.flat().map(({ amount }) => amount)].reduce((sum, amount) => sum + amount, 0);
}

/** For each entry: did it happen at its process before that recorded its state? */
function insideCut({ history, processes }: Pick<Lab, "history" | "processes">): boolean[] {
  const recorded = processes.map(() => false);
  return history.map(({ do: what, process }) => {
    if (what === "record") recorded[process] = true;
    return recorded[process] === false;
  });
}

/**
 * Messages that the snapshot has lost (sent inside the cut, neither received inside nor recorded in their channel), and
 * orphans (received inside or recorded, but sent outside).
 */
export function inconsistencies(lab: Lab): { readonly lost: readonly Message[]; readonly orphans: readonly Message[] } {
  const inside = insideCut(lab);
  const held = new Set(lab.channels.flatMap(({ recorded }) => recorded));
  const sent = new Set<Message>();
  lab.history.forEach(({ do: what, message }, index) => {
    if (message === null || inside[index] === false) return;
    (what === "send" ? sent : held).add(message);
  });
  return {
    lost: [...sent].filter((message) => !held.has(message)),
    orphans: [...held].filter((message) => !sent.has(message)),
  };
}

/**
 * The proof that the recorded state is one the system could have passed through, step by step: the run's sends and
 * receipts, and the same with two neighbours exchanged again and again, until all that is inside the cut comes before all
 * that is outside. `inside` says how many that are.
 */
export function reorderings(lab: Lab): { readonly orders: readonly (readonly Entry[])[]; readonly inside: number } {
  const isInside = new Map(insideCut(lab).map((inside, index) => [at(lab.history, index), inside]));
  const order = lab.history.filter(({ message }) => message !== null);
  const orders = [[...order]];
  for (let end = order.length; end > 0; end--) {
    for (let i = 0; i + 1 < end; i++) {
      const [first, second] = [at(order, i), at(order, i + 1)];
      if (isInside.get(first) === true || isInside.get(second) !== true) continue;
      [order[i], order[i + 1]] = [second, first];
      orders.push([...order]);
    }
  }
  return { orders, inside: order.filter((entry) => isInside.get(entry) === true).length };
}

/** The system after these sends and receipts, without any snapshot; `null`: they cannot happen in this order. */
export function after(setup: Setup, order: readonly Entry[]): GlobalState | null {
  let lab = begin({ ...setup, initiators: [] });
  for (const { do: what, process, channel, message } of order) {
    const { money } = at(lab.processes, process);
    if (what === "send") {
      if (message === null || message.amount > money) return null;
      lab = take(lab, { do: "send", process });
      continue;
    }
    const { queue } = at(lab.channels, channel);
    const place = queue.findIndex((item) => item?.from === message?.from && item?.number === message?.number);
    if (place < 0 || (setup.fifo && place > 0)) return null;
    lab = take(lab, { do: "receive", channel, place });
  }
  return presentState(lab);
}
