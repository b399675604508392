import { expect, test } from "vitest";
import { library } from "./library.ts";
import { linear } from "./library/linear.ts";
import { scenarioFrom } from "./parse.ts";
import { reverted } from "./reverted.ts";

type Json = Record<string, unknown>;

const written = (config: Json, more: Json = {}): Json => ({ ...linear, config, ...more });

test("an option is taken out under whatever spelling it was set, and a default stays what it is", () => {
  const interval = { "execution.checkpointing.interval": "1 s" };
  const set = written({ ...interval, "state.checkpoints.num-retained": 3 });
  expect(reverted(set, "execution.checkpointing.num-retained")).toEqual(written(interval));
  expect(reverted(set, "execution.checkpointing.interval")).toEqual(written({ "state.checkpoints.num-retained": 3 }));
  expect(reverted(set, "execution.checkpointing.timeout")).toBeNull();
});

test("a restart strategy goes with all of its options", () => {
  const set = written({
    "restart-strategy": "fixed-delay",
    "restart-strategy.fixed-delay.delay": "1 s",
    "execution.checkpointing.interval": "1 s",
  });
  expect(reverted(set, "restart-strategy.fixed-delay")).toEqual(written({ "execution.checkpointing.interval": "1 s" }));
});

test("a producer's timeout is that of every sink, and a missed heartbeat is told by the model's word first", () => {
  const without = reverted(linear, "transaction.timeout.ms");
  expect(JSON.stringify(linear)).toContain("transaction.timeout.ms");
  expect(JSON.stringify(without)).not.toContain("transaction.timeout.ms");
  const set = written({ "heartbeat.timeout": "9 s" }, { timing: { "heartbeat.detect": "2 s", rpc: "1 ms" } });
  expect(reverted(set, "heartbeat.timeout")).toEqual(written({}, { timing: { rpc: "1 ms" } }));
});

test("every scenario of the library is one without each of the options that an explanation may name", () => {
  const options = ["execution.checkpointing.interval", "restart-strategy.fixed-delay", "transaction.timeout.ms"];
  let changed = 0;
  for (const { source } of library)
    for (const option of options) {
      const other = reverted(source, option);
      if (other === null) continue;
      changed++;
      const read = scenarioFrom(other);
      expect(read.ok ? [] : read.problems).toEqual([]);
    }
  expect(changed).toBeGreaterThan(library.length);
});
