import { describe, expect, test } from "vitest";
import { checkpointingModes, slowSink, timedFault, variantScenario, variantSource } from "./comparison.ts";
import type { Comparison, Variant } from "./comparison.ts";
import type { Scenario } from "./scenario.ts";
import { type Json, parsed, small } from "./testing/sources.ts";

const [aligned, unaligned, atLeastOnce] = checkpointingModes as readonly [Variant, Variant, Variant];

const over = (config: Json, more: Json = {}): Comparison => ({
  source: small({ config: { "execution.checkpointing.interval": "1 s", ...config }, ...more }),
  faults: [],
  variants: checkpointingModes,
});

function scenario(comparison: Comparison, variant: Variant): Scenario {
  const read = variantScenario(comparison, variant);
  if (!read.ok) throw new Error(read.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return read.value;
}

describe("variants of a scenario", () => {
  test("differ in Flink's options and in nothing else", () => {
    const [first, ...others] = slowSink.variants.map((variant) => scenario(slowSink, variant));
    const rest = ({ config: _config, ...same }: Scenario): unknown => same;
    for (const other of others) expect(rest(other)).toEqual(rest(first!));
    expect(first?.faults).toMatchObject([{ at: { kind: "time", time: 2000 }, do: "fail-task", target: "count[0]" }]);
    expect(slowSink.variants.map((variant) => scenario(slowSink, variant).config.checkpointing)).toMatchObject([
      { mode: "EXACTLY_ONCE", unaligned: false },
      { mode: "EXACTLY_ONCE", unaligned: true },
      { mode: "AT_LEAST_ONCE", unaligned: false },
    ]);
  });

  test("take the place of every spelling of an option, and keep what else is set", () => {
    const { config } = variantSource(
      over({ "execution.checkpointing.unaligned": true, "execution.checkpointing.timeout": "30 s" }),
      aligned,
    );
    expect(config).toEqual({
      "execution.checkpointing.interval": "1 s",
      "execution.checkpointing.timeout": "30 s",
      "execution.checkpointing.mode": "EXACTLY_ONCE",
      "execution.checkpointing.unaligned.enabled": false,
    });
  });

  test("CP-081: at-least-once keeps unaligned.enabled, which Flink ignores with a notice", () => {
    const { notices } = scenario(over({ "execution.checkpointing.unaligned.enabled": true }), atLeastOnce);
    expect(notices.map(({ code, path }) => [code, path])).toEqual([
      ["VALUE_REPLACED", "config.execution.checkpointing.unaligned.enabled"],
    ]);
  });

  test("CP-023, CP-081: a variant that Flink refuses is refused with its reason, the others are not", () => {
    const comparison = over({ "execution.checkpointing.max-concurrent-checkpoints": 2 });
    expect(variantScenario(comparison, unaligned)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("maxConcurrentCheckpoints can't be > 1") }],
    });
    expect([aligned, atLeastOnce].map((variant) => variantScenario(comparison, variant).ok)).toEqual([true, true]);
  });

  test("a fault is added to the scenario's own and acts at a moment of simulated time", () => {
    const faults = [{ at: { step: 3 }, do: "fail-job" }];
    const [command] = parsed(small({ faults: [{ at: { step: 1 }, do: "fail-task", target: "sum[1]" }] })).faults;
    const comparison = { ...over({}, { faults }), faults: [timedFault(1234, command!)] };
    expect(scenario(comparison, aligned).faults).toMatchObject([
      { do: "fail-job", at: { kind: "step", step: 3 } },
      { do: "fail-task", target: "sum[1]", at: { kind: "time", time: 1234 } },
    ]);
  });
});
