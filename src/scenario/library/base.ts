/** What the base scenarios of `recovery-and-sinks.md` 13.1 have in common: twelve records, a barrier after every fourth. */

/** Checkpoint k is triggered right after record 4k of the first partition leaves its source. */
export const barriersAfterEveryFourth = ["in-0@3", "in-0@7", "in-0@11"].map((record) => ({
  at: { after: "RecordEmitted", record },
  do: "trigger-checkpoint",
}));

/**
 * The interval only serves what comes after a failure: without one the run is over before it; with one a periodic
 * checkpoint commits what is left.
 */
export const config = {
  "execution.checkpointing.interval": "5 s",
  "execution.checkpointing.mode": "EXACTLY_ONCE",
  "restart-strategy.type": "fixed-delay",
  "restart-strategy.fixed-delay.attempts": 3,
  "restart-strategy.fixed-delay.delay": "10 s",
};

export const broker = { "transaction.max.timeout.ms": "1 h" };

/** Records `first`, `first + step`, …, twelve of them, each with its own key unless keys are given. */
export function twelve(first: number, step: number, keys: readonly string[] = []): { key: string; value: number }[] {
  return Array.from({ length: 12 }, (_, i) => {
    const value = first + i * step;
    return { key: keys[i % keys.length] ?? String(value), value };
  });
}
