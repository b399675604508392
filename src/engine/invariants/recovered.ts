/**
 * Recovered channel state comes first (INV-042): a channel of a restored attempt begins with what the checkpoint holds of
 * its input, then of its output, in order; and a task reads nothing else from a gate as long as one of its channels has
 * recovered input. What should come is looked up in the store when the checkpoint is restored.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import type { Rows } from "../rows.ts";
import { storedList } from "./cut.ts";
import { type Subject, type Watch, copyOf, tableOf } from "./watch.ts";

/** A channel: the arena's lists of its recovered state (0: none), and how many records of them were taken. */
const Channel = { input: 0, output: 1, taken: 2, SIZE: 3 } as const;

const NOTHING: readonly number[] = [];

export class Recovered implements Subject {
  static readonly ids = ["INV-042"] as const;
  private readonly watch: Watch;
  private readonly channels: Rows;
  /** By task: recovered input records that it has not taken. */
  private readonly left: Rows;

  constructor(watch: Watch, from: Recovered | null = null) {
    this.watch = watch;
    const { channels, subtasks } = watch.plan.graph;
    this.channels = from === null ? tableOf(Channel.SIZE, channels.length) : copyOf(from.channels);
    this.left = from === null ? tableOf(1, subtasks.length) : copyOf(from.left);
  }

  clone(watch: Watch): Recovered {
    return new Recovered(watch, this);
  }

  /** A new attempt has new channels. */
  AttemptCreated(_: Kernel, task: number): void {
    const { inputs, outputs } = at(this.watch.plan.graph.subtasks, task);
    this.left.set(task, 0, 0);
    for (const channel of [...inputs, ...outputs])
      for (let word = 0; word < Channel.SIZE; word++) this.channels.set(channel, word, 0);
  }

  StateRestored(k: Kernel, task: number, _: number, checkpoint: number): void {
    if (checkpoint === this.watch.plan.scenario.config.checkpointing.withoutChannelState) return;
    const { inputs, outputs } = at(this.watch.plan.graph.subtasks, task);
    for (const channel of outputs)
      this.channels.set(channel, Channel.output, storedList(k, checkpoint, channel, "output"));
    for (const channel of inputs) {
      this.channels.set(channel, Channel.input, storedList(k, checkpoint, channel, "input"));
      this.left.set(task, 0, this.left.get(task, 0) + this.recorded(k, channel, Channel.input).length / 2);
    }
  }

  RecordReceived(k: Kernel, task: number, channel: number, record: number, value: number): void {
    const { channels, left } = this;
    const taken = channels.get(channel, Channel.taken);
    const input = this.recorded(k, channel, Channel.input);
    const output = this.recorded(k, channel, Channel.output);
    const length = (input.length + output.length) / 2;
    if (taken < length) {
      const words = taken < input.length / 2 ? input.slice(2 * taken) : output.slice(2 * taken - input.length);
      if (record !== words[0] || value !== words[1])
        this.found(k, task, channel, `takes another record than the ${taken + 1}. that its checkpoint holds of it`);
      channels.set(channel, Channel.taken, taken + 1);
      // All taken: nothing is looked up any more.
      if (taken + 1 === length) for (const side of [Channel.input, Channel.output]) channels.set(channel, side, 0);
    }
    if (taken < input.length / 2) left.set(task, 0, left.get(task, 0) - 1);
    else if (left.get(task, 0) > 0 && this.gateHasInput(k, task, channel))
      this.found(k, task, channel, "takes a new record while recovered input of the gate is left");
  }

  private recorded(k: Kernel, channel: number, side: typeof Channel.input | typeof Channel.output): readonly number[] {
    const list = this.channels.get(channel, side);
    return list === 0 ? NOTHING : k.arena.lists.toArray(list);
  }

  /** Has a channel of the same gate recovered input that was not taken? */
  private gateHasInput(k: Kernel, task: number, channel: number): boolean {
    const { channels, subtasks } = this.watch.plan.graph;
    const { edge } = at(channels, channel);
    return at(subtasks, task).inputs.some(
      (other) =>
        at(channels, other).edge === edge &&
        2 * this.channels.get(other, Channel.taken) < this.recorded(k, other, Channel.input).length,
    );
  }

  private found(k: Kernel, task: number, channel: number, what: string): void {
    const { watch } = this;
    watch.violated(
      k,
      "INV-042",
      `recovered channel state comes first, but ${watch.subtask(task)} ${what}, from ${watch.channel(channel)}`,
      watch.subtask(task),
      watch.channel(channel),
    );
  }
}
