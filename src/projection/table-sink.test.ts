/** What the log of a run with a lake table says, told without the engine: the ledger of the page agrees with the report. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import { runScenario } from "../engine/run.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { referenceOf } from "../scenario/reference.ts";
import { places } from "./fields.ts";
import { advance, initialView } from "./fold.ts";
import { expectedOf, ledgerOf } from "./ledger.ts";
import type { RunView } from "./views.ts";

const persisted = places("InFlightDataPersisted");
const LATE = "table[1]->table-committer[0]";

/** `upTo`: as far as the committer's late input is stored; else to the end. */
function played(id: string, upTo = false): { view: RunView; report: ReturnType<typeof runScenario>["report"] } {
  const file = path.resolve(import.meta.dirname, `../../scenarios/incidents/${id}.scenario.json`);
  const parsed = scenarioFrom(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { graph, log, report } = runScenario(parsed.value, { checkInvariants: false });
  const view = initialView(parsed.value, graph, parsed.value.faults);
  const channel = graph.channels.findIndex(({ name }) => name === LATE);
  const isMeant = (step: number): boolean =>
    log.type(step) === EventNumber.InFlightDataPersisted && log.field(step, persisted.channel) === channel;
  const found = Array.from({ length: log.length }, (_, step) => step).find(isMeant);
  advance(view, log, upTo ? (found ?? -1) : log.length - 1);
  return { view, report };
}

test.each(["P-16", "P-32", "P-34", "P-38"])(
  "SK-040: %s: lost and doubled records are told alike by the log and by the engine",
  (id) => {
    const { view, report } = played(id);
    const { sinks } = ledgerOf(view, expectedOf(view.shared, referenceOf(view.shared.scenario)));
    const row = at(report.delivery, 0);
    expect(sinks.map(({ seen, fates, word }) => [seen, fates.count("lost"), fates.count("duplicated"), word])).toEqual([
      [row.seen, row.lost.length, row.duplicated.length, report.verdict.endToEnd],
    ]);
  },
);

test("P-34: a file that its table lists again is there as often", () => {
  const { view } = played("P-34");
  expect(view.transactions.filter(({ listedAgain }) => listedAgain > 0).map(({ checkpoint }) => checkpoint)).toEqual([
    7,
  ]);
});

test("SK-143, CP-079: a committable in a channel takes a buffer, and the state of the channel holds it", () => {
  const { view } = played("P-16", true);
  const channel = view.shared.graph.channels.findIndex(({ name }) => name === LATE);
  const { fill, queue } = at(view.channels, channel);
  expect([fill, queue.map(({ kind, value }) => [kind, value])]).toEqual([1, [["committable", 2]]]);
  const stored = view.checkpoints.flatMap(({ parts }) => parts.flatMap((part) => part?.inFlight ?? []));
  expect(stored.map((each) => [each.channel, each.element.kind])).toEqual([[channel, "committable"]]);
});
