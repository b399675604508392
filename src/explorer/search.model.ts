/** `linear` searched to its end, and that what the search has found is what the simulator plays. */
import { expect, test } from "vitest";
import { advance, below, stream } from "../base/prng.ts";
import { Choices, findChoices } from "../engine/choices.ts";
import { Simulation } from "../engine/simulation.ts";
import { command } from "../engine/testing/runs.ts";
import { EventLog } from "../protocol/log.ts";
import { traceEntry } from "../protocol/trace.ts";
import { type Document, pathOf, scenarioOf, searched, shown } from "./schedule.ts";
import { type Move, Mover, packed, unpacked } from "./search-moves.ts";
import { search } from "./search.ts";
import type { Command } from "../scenario/scenario.ts";
import { crashes, lostMessages } from "../scenario/targets.ts";
import { commandOf, join, keyed, shortLine, withOptions } from "./testing/searched.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";

/** What was searched, every invariant watched; in the long run once more with fingerprints of another seed. */
function all(document: Document, failures: number, targets?: readonly Command[]): unknown {
  const options = { failures, states: 2_000_000, invariants: true, ...(targets && { targets }) };
  const one = search(scenarioOf(document), options);
  if (long) expect(search(scenarioOf(document), { ...options, seed: 2, invariants: false })).toEqual(one);
  expect(one.findings).toEqual([]);
  expect(one.exhaustive).toBe(true);
  return { states: one.states, transitions: one.transitions, ends: one.ends };
}

test(
  "linear without a failure: every order of everything ends exactly once, and these are all states",
  { timeout: 900_000 },
  () => {
    expect(all(shortLine(4, ["in-0@1", "in-0@3"]), 0)).toMatchInlineSnapshot(`
      {
        "ends": 11,
        "states": 3912,
        "transitions": 7359,
      }
    `);
  },
);

test(
  "linear with one failure of any kind at any place: everything ends exactly once, and these are all states",
  { timeout: 900_000 },
  () => {
    expect(all(shortLine(1, ["in-0@0"]), 1)).toMatchInlineSnapshot(`
      {
        "ends": 29,
        "states": 81505,
        "transitions": 185699,
      }
    `);
  },
);

test("linear with four records and a failure at any place: these are all states", { timeout: 900_000 }, () => {
  const document = shortLine(4, ["in-0@3"]);
  const found = long ? all(document, 1) : all(document, 1, [commandOf("fail-task", "SNK[0]")]);
  expect(found).toEqual(
    long ? { ends: 29, states: 412_233, transitions: 1_092_651 } : { ends: 7, states: 27_699, transitions: 69_647 },
  );
});

test("FR-100, FR-102: with a standby the JobManager may be lost between any two entries, inside what it does in one go too, and everything ends exactly once", () => {
  const document = withOptions(shortLine(1, ["in-0@0"]), { "high-availability.type": "zookeeper" });
  const targets = [commandOf("kill-jobmanager", null)];
  const found = search(scenarioOf(document), { failures: 1, states: 2_000_000, targets });
  expect(found).toMatchObject({ findings: [], exhaustive: true });
  expect(found.states).toMatchInlineSnapshot(`19760`);
});

test("with a standby the JobManager is among what can fail, without one it is not", () => {
  const verbs = (options: Document): string[] => {
    const { graph, scenario } = Simulation.start(scenarioOf(withOptions(shortLine(1, []), options)), { log: null })
      .session.plan;
    return crashes(graph, scenario).map(({ do: verb }) => verb);
  };
  expect(verbs({ "high-availability.type": "kubernetes" })).toContain("kill-jobmanager");
  expect(verbs({})).not.toContain("kill-jobmanager");
});
test(
  "CP-125, CP-164: with a savepoint, a stop or a cancellation every order of everything ends as it should",
  { timeout: 900_000 },
  () => {
    const path = "sp";
    const found = [
      { do: "trigger-savepoint", path },
      { do: "stop-with-savepoint", path },
      { do: "stop-with-savepoint", path, drain: true },
      { do: "cancel" },
      { do: "cancel-with-savepoint", path },
    ].map((ends) => {
      const document = { ...shortLine(2, []), faults: [{ at: { after: "RecordEmitted", record: "in-0@0" }, ...ends }] };
      const one = search(scenarioOf(document), { failures: 0, states: 2_000_000, invariants: true });
      expect(one).toMatchObject({ findings: [], exhaustive: true });
      return one.states;
    });
    expect(found).toMatchInlineSnapshot(`
    [
      1094,
      4248,
      41264,
      2972,
      2244,
    ]
  `);
  },
);

test("FR-026: an event of the source's coordinator may be lost at any place: every order of everything ends exactly once", () => {
  const scenario = scenarioOf(shortLine(1, ["in-0@0"]));
  const event = command("lose-rpc", "SRC[0]", { rpc: "coordinator-event" });
  const found = search(scenario, { failures: 1, states: 2_000_000, targets: [event] });
  expect(found).toMatchObject({ findings: [], exhaustive: true });
  expect(found.states).toMatchInlineSnapshot(`2069`);
});

test("what the search passes by leads to no other end", { timeout: 900_000 }, () => {
  const scenario = scenarioOf(shortLine(1, ["in-0@0"]));
  const targets = long ? {} : { targets: [commandOf("fail-task", "MAP[0]")] };
  const options = { ...targets, states: 2_000_000, invariants: long };
  const [few, full] = [true, false].map((reduces) => search(scenario, { ...options, reduces }));
  expect(full).toMatchObject({ ends: few?.ends, findings: few?.findings, exhaustive: true });
});

/** Moves drawn at random from the beginning on. */
function walk(document: Document, seed: number, failures: number): Move[] {
  const simulation = Simulation.start(searched(scenarioOf(document)), { log: null });
  const { graph, scenario } = simulation.session.plan;
  const targets = [...crashes(graph, scenario), ...lostMessages(graph)];
  simulation.session.commands.push(...targets);
  const mover = new Mover(graph, targets);
  const choices = new Choices();
  let state = stream(seed, "walk");
  const draw = (bound: number): number => below((state = advance(state)), bound);
  const moves: Move[] = [];
  mover.settle(simulation, null);
  for (let left = failures; moves.length < 150;) {
    findChoices(simulation.kernel, choices, false);
    const fails = left > 0 && draw(20) === 0;
    if (choices.count === 0 && !fails) break;
    if (fails) left--;
    const move =
      fails || choices.count === 0
        ? {
            choice: choices.count > 0 ? draw(choices.count + 1) - 1 : -1,
            failure: draw(targets.length),
            after: draw(4),
          }
        : { choice: draw(choices.count), failure: -1, after: 0 };
    moves.push(move);
    mover.play(simulation, move, []);
  }
  return moves;
}

test("a walk of the search, written as a scenario with a schedule, is played entry by entry as it was", () => {
  const targets = (document: Document) => {
    const { graph, scenario } = Simulation.start(scenarioOf(document), { log: null }).session.plan;
    return [...crashes(graph, scenario), ...lostMessages(graph)];
  };
  const documents = [
    shortLine(4, ["in-0@1"]),
    join(2, 2),
    keyed(),
    withOptions(join(2, 2), { "execution.checkpointing.unaligned.enabled": true }),
    withOptions(join(2, 2), {
      "execution.checkpointing.unaligned.enabled": true,
      "execution.checkpointing.aligned-checkpoint-timeout": "2 ms",
    }),
  ];
  for (let seed = 1; seed <= (long ? 3000 : 150); seed++) {
    const document = documents[seed % documents.length] as Document;
    const moves = walk(document, seed, 2);
    const options = { targets: targets(document) };
    const path = pathOf(scenarioOf(document), moves, options);
    const log = new EventLog();
    const played = Simulation.start(scenarioOf(shown(document, path)), { log });
    while (played.world.step < path.steps) if (!played.step()) break;
    expect(lines(played, log), `seed ${seed}`).toEqual(path.entries.map(plain));
  }
});

function lines({ session }: Simulation, log: EventLog): string[] {
  return Array.from({ length: log.length }, (_, step) => plain(traceEntry(session.plan.graph, log, step)));
}

/** Without the number of the fault, which is its place in the file. */
function plain(entry: { readonly [field: string]: unknown }): string {
  return JSON.stringify({ ...entry, fault: 0 });
}

test("a move packs into one word", () => {
  for (const move of [
    { choice: -1, failure: 0, after: 0 },
    { choice: 4000, failure: 4000, after: 200 },
    { choice: 0, failure: -1, after: 0 },
  ])
    expect(unpacked(packed(move))).toEqual(move);
});
