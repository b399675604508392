/** Law: links round-trip. Runs drawn at random, with decisions and a moment, come back out of their link as they went in. */
import { expect, test } from "vitest";
import { Draw, randomCommand, randomSource } from "../../engine/testing/random-jobs.ts";
import { Timeline } from "../../engine/timeline.ts";
import "../../engine/testing/runs.ts";
import { firstDifference, marksOf } from "../../projection/log-marks.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { commandText } from "../../scenario/command-text.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { type Fork, readRun, writtenFork, writtenSource } from "../../scenario/run-document.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { packed, sealed, unpacked, unsealed } from "./packed.ts";
import { fragmentOf, PREFIX } from "./run-state.ts";

const LINKS = 480;
/** Of so many one is run again from what came out. */
const RUN_EVERY = 40;

interface Drawn {
  readonly source: unknown;
  readonly scenario: Scenario;
  readonly forks: readonly Fork[];
  readonly fromLibrary: boolean;
}

function drawn(number: number): Drawn {
  const draw = new Draw(number);
  const fromLibrary = number % 3 !== 0;
  const source = (fromLibrary ? JSON.parse(draw.one(...library).text) : randomSource(draw)) as {
    [key: string]: unknown;
  };
  if (draw.upTo(2) === 0) source["seed"] = draw.upTo(10_000);
  const scenario = parsed(source);
  const graph = executionGraph(scenario);
  const forks = Array.from({ length: draw.upTo(5) }, (_, index): Fork => {
    const name = draw.one(null, null, "what if, “twice”: 三");
    return { branch: draw.upTo(index + 1), step: 1 + draw.upTo(900), command: commandFor(draw, source, graph), name };
  });
  return { source, scenario, forks, fromLibrary };
}

/** A command that means something in this job: a menu offers no other. */
function commandFor(draw: Draw, source: { readonly [key: string]: unknown }, graph: ExecutionGraph): Command {
  for (;;) {
    const command = randomCommand(draw, graph);
    if (scenarioFrom({ ...source, faults: [{ at: { step: 1 }, ...commandText(command) }] }).ok) return command;
  }
}

function parsed(source: unknown): Scenario {
  const read = scenarioFrom(source);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

/** The last branch's log, where every fork lies within its parent. */
function lastLog(scenario: Scenario, forks: readonly Fork[]): Timeline {
  const timeline = new Timeline(scenario);
  const play = (branch: number): void => {
    while (timeline.extend(branch));
  };
  play(0);
  for (const { branch, step, command } of forks) {
    const { log } = timeline.branches[branch]!;
    play(timeline.fork(branch, Math.min(step, log.length), command).id);
  }
  return timeline;
}

test(`${LINKS} runs with decisions, cursor, selection and panel come back out of their links`, async () => {
  const lengths: number[] = [];
  for (let number = 0; number < LINKS; number++) {
    const { source, scenario, forks, fromLibrary } = drawn(number);
    const document = {
      ...writtenSource(source),
      forks: forks.map(({ branch, step, command, name }) => writtenFork(branch, step, command, name)),
      branch: forks.length,
      step: 17 * number,
      selection: `subtask:${number % 3}`,
      panel: "events",
      pinned: ["subtask:1", "checkpoint:2"],
      loop: [number, 2 * number],
      filter: { kinds: ["CheckpointCompleted"], checkpoints: [2], words: "drei → “3”" },
      breakpoints: [{ kind: "FaultInjected", element: null, comparison: null, hit: 1, on: number % 2 === 0 }],
      marks: [
        [10, -12345678],
        [20, 1234567],
      ],
    } as const;
    const fragment = await fragmentOf(document);
    if (fromLibrary) lengths.push(fragment.length);
    const text = await unpackedFrom(fragment);
    const read = readRun(JSON.parse(text ?? "null"));
    expect(read, `run ${number}`).toMatchObject({ ok: true });
    if (!read.ok) continue;
    const { value } = read;
    expect(value).toMatchObject({
      step: 17 * number,
      branch: forks.length,
      selection: `subtask:${number % 3}`,
      left: [],
    });
    const { pinned, loop, filter, breakpoints, marks } = document;
    expect(value).toMatchObject({ pinned, loop, filter, breakpoints, marks });
    expect(value.source).toEqual(source);
    expect(value.scenario).toEqual(scenario);
    expect(value.forks).toEqual(forks);
    if (number % RUN_EVERY !== 0) continue;
    const there = lastLog(scenario, forks).branches;
    const here = lastLog(value.scenario, value.forks).branches;
    there.forEach(({ log }, branch) => expect(firstDifference(here[branch]!.log, marksOf(log))).toBeNull());
  }
  // With up to four decisions: far under what any program cuts.
  expect(Math.max(...lengths)).toBeLessThan(1500);
});

async function unpackedFrom(fragment: string): Promise<string | null> {
  const opened = unsealed(fragment.slice(PREFIX.length));
  return "characters" in opened ? unpacked(opened.characters) : null;
}

test("a link that lost characters says how many, one that was changed anywhere is known, and old ones have no seal", async () => {
  const link = sealed(await packed("a run of some length, with its decisions, and the moment at which it stands"));
  expect(unsealed(link)).toEqual({ characters: link.split(".")[2] });
  for (const lost of [1, 2, 7, 20]) expect(unsealed(link.slice(0, -lost))).toEqual({ missing: lost });
  for (let place = link.lastIndexOf(".") + 1; place < link.length; place++) {
    const other = link[place] === "A" ? "B" : "A";
    expect(unsealed(link.slice(0, place) + other + link.slice(place + 1))).toEqual({ missing: 0 });
  }
  expect(unsealed("AbC-_")).toEqual({ characters: "AbC-_" });
  for (const broken of ["4.", "4.x", "zz.0.", "..", "a.b.c.d"]) expect(unsealed(broken)).toHaveProperty("missing");
});

test("what is no link unpacks to nothing, and what would be too long is not unpacked", async () => {
  for (const broken of ["", "!!", "AAAA", "not a link at all"]) expect(await unpacked(broken)).toBeNull();
  const whole = await packed("x".repeat(100));
  expect(await unpacked(whole)).toBe("x".repeat(100));
  expect(await unpacked(whole.slice(0, -4))).toBeNull();
  expect(await unpacked(await packed("x".repeat(5_000_000)))).toBeNull();
});
