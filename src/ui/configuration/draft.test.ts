import { expect, test } from "vitest";
import { findOption, isIn, options } from "../../scenario/options.ts";
import { readLibrary } from "../read-library.ts";
import { optionHelp } from "../text/en-configuration.ts";
import { type Draft, changed, checked, differences, draftOf, saidOf, sections, valueIn, withConfig } from "./draft.ts";
import { readYaml, writeYaml } from "./yaml.ts";

const { text } = readLibrary("order-totals");
const option = (key: string) => {
  const found = findOption(key);
  if (found === undefined) throw new Error(`no option ${key}`);
  return found;
};
const interval = option("execution.checkpointing.interval");
const help = (key: string): string => optionHelp[key] ?? "";
const keys = (version: "1.18" | "2.2" | "2.3", query = ""): string[] =>
  sections(version, query, help).flatMap(({ rows }) => rows.map(({ spelling }) => spelling));

test("every option has its sentence, and there is no sentence without an option", () => {
  expect(Object.keys(optionHelp).toSorted()).toEqual(options.map(({ key }) => key).toSorted());
});

test("the form lists the options of the version, each once, as that version spells them", () => {
  expect(keys("2.3")).toHaveLength(options.filter((each) => isIn(each, "2.3")).length);
  expect(keys("1.18")).toContain("state.checkpoints.num-retained");
  expect(keys("1.18")).not.toContain("execution.checkpointing.num-retained");
  expect(keys("2.2")).not.toContain("execution.checkpointing.during-recovery.enabled");
});

test("an old name and a word of the sentence find an option", () => {
  expect(keys("2.2", "state.checkpoints.dir")).toEqual(["execution.checkpointing.dir"]);
  expect(keys("2.2", "jitter")).toEqual(["restart-strategy.exponential-delay.jitter-factor"]);
});

test("a changed key is written as JSON would have it, and its default takes it out", () => {
  const before = draftOf(text);
  const longer = changed(before, interval, "3 s", "2.2");
  expect(differences(before, longer)).toEqual([interval.key]);
  expect(JSON.parse(withConfig(text, longer))).toMatchObject({ config: { [interval.key]: "3 s" } });
  const two = changed(before, option("execution.checkpointing.num-retained"), "2", "1.18");
  expect(two["state.checkpoints.num-retained"]).toBe(2);
  expect(valueIn(changed(longer, interval, null, "2.2"), interval)).toBeNull();
});

test("CP-023: what Flink refuses, and what it only ignores, stands at the key", () => {
  const low = checked(withConfig(text, { ...draftOf(text), [interval.key]: "5 ms" }));
  expect(low.scenario).toBeNull();
  expect(saidOf(low, interval)).toMatchObject([{ kind: "problem", message: /larger than or equal to 10 ms/ }]);
  const pair: Draft = {
    ...draftOf(text),
    "execution.checkpointing.min-pause": "100 ms",
    "execution.checkpointing.max-concurrent-checkpoints": 2,
  };
  const noted = checked(withConfig(text, pair));
  expect(noted.scenario).not.toBeNull();
  expect(saidOf(noted, option("execution.checkpointing.min-pause"))).toMatchObject([{ kind: "notice" }]);
});

test("an older spelling is read, kept, and said to be one", () => {
  const old = checked(withConfig(text, { ...draftOf(text), "state.checkpoints.num-retained": 2 }));
  expect(saidOf(old, option("execution.checkpointing.num-retained"))).toMatchObject([
    { kind: "notice", message: /older spelling/ },
  ]);
});

test("the draft as YAML is read back as the same; nested keys and dotted ones are the same", () => {
  const draft = draftOf(text);
  expect(readYaml(writeYaml(draft))).toEqual({ ok: true, draft });
  expect(readYaml("execution:\n  checkpointing:\n    interval: 2 s\n    max-concurrent-checkpoints: 2\n")).toEqual({
    ok: true,
    draft: { "execution.checkpointing.interval": "2 s", "execution.checkpointing.max-concurrent-checkpoints": 2 },
  });
});

test("a mistake in YAML names its line, and a list its key", () => {
  expect(readYaml("a: 1\nb: [1\n")).toMatchObject({ ok: false, mistakes: [{ line: expect.any(Number) as number }] });
  expect(readYaml("a:\n  b: [1, 2]\n")).toMatchObject({ ok: false, mistakes: [{ message: /^a\.b: must be/ }] });
});
