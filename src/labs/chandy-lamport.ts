/**
 * The distributed snapshot of Chandy and Lamport, "Distributed Snapshots: Determining Global States of Distributed
 * Systems" (1985; CP-230 to CP-232). Processes pass money to each other over channels; a snapshot must find all of it. The
 * engine's kernel is made of Flink's tasks, messages and milliseconds, and this protocol has none of them: here only
 * order counts. A lab is a value, a step makes the next one, and whoever runs it (a person, a seed, a search through all
 * interleavings) chooses among the possible steps.
 *
 * Left out: how the pieces are collected, which the protocol does not say, and snapshots that overlap.
 */
import { assert, at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import { type StateOf, edgesOf } from "../protocol/machine.ts";
import { chandyLamportProcess } from "../protocol/machines/chandy-lamport.ts";

type ProcessState = StateOf<typeof chandyLamportProcess>;

export interface Setup {
  /** Each with the money it has, and the transfers that it makes in this order, each as soon as it has enough. */
  readonly processes: readonly {
    readonly name: string;
    readonly money: number;
    readonly transfers: readonly Transfer[];
  }[];
  /** From process to process, one direction. */
  readonly channels: readonly { readonly from: number; readonly to: number }[];
  /** Who may record its state unasked. */
  readonly initiators: readonly number[];
  /** False: what is in a channel may come out in any order. */
  readonly fifo: boolean;
  /** False: an initiator records its state and sends its markers in two steps, in either order and with others in between. */
  readonly atomic: boolean;
}

interface Transfer {
  readonly channel: number;
  readonly amount: number;
}

/** The sender's `number`th message, from 0. */
export interface Message {
  readonly from: number;
  readonly number: number;
  readonly amount: number;
}

/** What can happen next. `place`: of what is received, in its channel. */
export type Step =
  | { readonly do: "initiate" | "record" | "mark" | "send"; readonly process: number }
  | { readonly do: "receive"; readonly channel: number; readonly place: number };

/** What has happened at a process. `receive` is a message's, `marker` a marker's receipt; `record` and `mark` have no channel. */
export interface Entry {
  readonly do: "record" | "mark" | "send" | "receive" | "marker";
  readonly process: number;
  readonly channel: number;
  readonly message: Message | null;
}

interface Process {
  readonly state: ProcessState;
  readonly money: number;
  readonly sent: number;
  /** Are its markers sent? */
  readonly marked: boolean;
  /** Its state in the snapshot. */
  readonly recorded: number | null;
}

interface Channel {
  /** What is in it, the oldest first; `null`: a marker. */
  readonly queue: readonly (Message | null)[];
  /** Does its receiver record it? */
  readonly recording: boolean;
  /** Its state in the snapshot. */
  readonly recorded: readonly Message[];
}

export interface Lab {
  readonly setup: Setup;
  readonly processes: readonly Process[];
  readonly channels: readonly Channel[];
  readonly history: readonly Entry[];
}

/** While a step is made. */
interface Draft {
  readonly setup: Setup;
  readonly processes: Process[];
  readonly channels: Channel[];
  readonly history: Entry[];
}

export function begin(setup: Setup): Lab {
  return {
    setup,
    processes: setup.processes.map(({ money }) => ({
      state: chandyLamportProcess.initial,
      money,
      sent: 0,
      marked: false,
      recorded: null,
    })),
    channels: setup.channels.map(() => ({ queue: [], recording: false, recorded: [] })),
    history: [],
  };
}

/** Everything that can happen next, in a fixed order. */
export function possible({ setup, processes, channels }: Lab): Step[] {
  return [
    ...setup.initiators.flatMap((process): Step[] => {
      const { state, marked } = at(processes, process);
      if (setup.atomic) return state === "IDLE" ? [{ do: "initiate", process }] : [];
      return [
        ...(state === "IDLE" ? [{ do: "record", process } as const] : []),
        ...(marked ? [] : [{ do: "mark", process } as const]),
      ];
    }),
    ...processes.flatMap(({ sent, money }, process): Step[] => {
      const transfer = at(setup.processes, process).transfers[sent];
      return transfer === undefined || transfer.amount > money ? [] : [{ do: "send", process }];
    }),
    ...channels.flatMap(({ queue }, channel) =>
      queue.slice(0, setup.fifo ? 1 : queue.length).map((_, place): Step => ({ do: "receive", channel, place })),
    ),
  ];
}

/** Makes a step; one that is not possible is a mistake of the caller. */
export function take({ setup, processes, channels, history }: Lab, step: Step): Lab {
  const lab: Draft = { setup, processes: [...processes], channels: [...channels], history: [...history] };
  switch (step.do) {
    case "initiate":
      record(lab, step.process, "initiate");
      mark(lab, step.process);
      break;
    case "record":
      record(lab, step.process, "initiate");
      break;
    case "mark":
      mark(lab, step.process);
      break;
    case "send":
      send(lab, step.process);
      break;
    case "receive":
      receive(lab, step.channel, step.place);
  }
  return lab;
}

/** CP-230, CP-231: it records its own state, and from now on what comes on every channel but the marker's. */
function record(lab: Draft, process: number, event: "initiate" | "marker", markedBy = -1): void {
  note(lab, "record", process);
  change(lab.processes, process, { recorded: at(lab.processes, process).money });
  for (const channel of inputsOf(lab, process)) change(lab.channels, channel, { recording: channel !== markedBy });
  move(lab, process, event);
}

/** A marker into each outgoing channel, ahead of every later message. */
function mark(lab: Draft, process: number): void {
  note(lab, "mark", process);
  change(lab.processes, process, { marked: true });
  lab.setup.channels.forEach(({ from }, channel) => {
    if (from === process) put(lab, channel, null);
  });
}

function send(lab: Draft, process: number): void {
  const { money, sent } = at(lab.processes, process);
  const { channel, amount } = at(at(lab.setup.processes, process).transfers, sent);
  assert(amount <= money, "nobody sends what it does not have");
  const message = { from: process, number: sent, amount };
  change(lab.processes, process, { money: money - amount, sent: sent + 1 });
  put(lab, channel, message);
  note(lab, "send", process, channel, message);
}

function receive(lab: Draft, channel: number, place: number): void {
  const { queue, recording, recorded } = at(lab.channels, channel);
  assert(place < queue.length && (place === 0 || !lab.setup.fifo), "a channel is first in first out");
  const process = at(lab.setup.channels, channel).to;
  const message = queue[place] ?? null;
  change(lab.channels, channel, { queue: queue.filter((_, index) => index !== place) });
  note(lab, message === null ? "marker" : "receive", process, channel, message);
  if (message === null) {
    onMarker(lab, process, channel);
    return;
  }
  change(lab.processes, process, { money: at(lab.processes, process).money + message.amount });
  if (recording) change(lab.channels, channel, { recorded: [...recorded, message] });
}

/** CP-231: the first marker makes a process record its state; each closes its channel. */
function onMarker(lab: Draft, process: number, channel: number): void {
  if (at(lab.processes, process).state === "IDLE") {
    record(lab, process, "marker", channel);
    if (!at(lab.processes, process).marked) mark(lab, process);
    return;
  }
  change(lab.channels, channel, { recording: false });
  move(lab, process, "marker");
}

/** CP-232: with a marker on every incoming channel it is done. */
function move(lab: Draft, process: number, event: "initiate" | "marker"): void {
  const { state } = at(lab.processes, process);
  const waits = inputsOf(lab, process).some((channel) => at(lab.channels, channel).recording);
  const to: ProcessState = waits ? "RECORDED" : "COMPLETE";
  assert(
    edgesOf(chandyLamportProcess).some((edge) => edge.from === state && edge.event === event && edge.to === to),
    `a process has no edge ${state} -${event}-> ${to}`,
  );
  change(lab.processes, process, { state: to });
}

function inputsOf({ setup }: Draft, process: number): number[] {
  return setup.channels.flatMap(({ to }, channel) => (to === process ? [channel] : []));
}

function put(lab: Draft, channel: number, what: Message | null): void {
  change(lab.channels, channel, { queue: [...at(lab.channels, channel).queue, what] });
}

function note(lab: Draft, what: Entry["do"], process: number, channel = -1, message: Message | null = null): void {
  lab.history.push({ do: what, process, channel, message });
}

function change<T>(all: T[], index: number, what: Partial<T>): void {
  all[index] = { ...at(all, index), ...what };
}

/** Goes on until nothing can happen any more, each step drawn from the seed. */
export function runToEnd(setup: Setup, seed: number): Lab {
  let chance = stream(seed, "chandy-lamport");
  let lab = begin(setup);
  for (let steps = possible(lab); steps.length > 0; steps = possible(lab)) {
    chance = advance(chance);
    lab = take(lab, at(steps, below(chance, steps.length)));
  }
  return lab;
}
