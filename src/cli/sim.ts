/**
 * The command line without the machine: arguments in, text and an exit status out (the contract's sections 4 and 5). The
 * same engine as in the browser; invariants are checked in every run.
 */
import { runScenario } from "../engine/run.ts";
import { eventRules } from "../protocol/event-rules.ts";
import { eventSentences } from "../protocol/event-sentences.ts";
import { type EventType, events } from "../protocol/events.ts";
import { faultVerbs } from "../protocol/reasons.ts";
import { traceLines } from "../protocol/trace.ts";
import type { Violation } from "../protocol/violation.ts";
import { jsonSchema } from "../scenario/json-schema.ts";
import { library } from "../scenario/library.ts";
import { brokenRules } from "../scenario/scenario.ts";
import { type Arguments, readArguments, usage, verdicts } from "./arguments.ts";
import { guarantees } from "./guarantees.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { reportText, table } from "./report-text.ts";
import { readScenario, reason } from "./scenario-file.ts";
import { searchCommand } from "./search.ts";
import { sweep } from "./sweep.ts";

export function sim(words: readonly string[], io: Io): ExitStatus | Promise<ExitStatus> {
  const read = readArguments(words);
  if (!read.ok) return refuse(io, `${read.message}\n\n${usage}`);
  switch (read.value.command) {
    case "run":
      return run(read.value, io);
    case "list":
      return list(read.value, io);
    case "schema":
      io.out(json(jsonSchema()));
      return Exit.ran;
    case "help":
      io.out(usage);
      return Exit.ran;
    case "sweep":
      return sweep(read.value, io);
    case "search":
      return searchCommand(read.value, io);
    case "guarantees":
      return guarantees(read.value, io);
    case "doctor":
    case "import":
      return refuse(io, `sim ${read.value.command}: not yet\n`);
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function refuse(io: Io, message: string): ExitStatus {
  io.error(message);
  return Exit.badInput;
}

function run(given: Arguments, io: Io): ExitStatus {
  const scenario = readScenario(given, io);
  if (!scenario.ok) return refuse(io, scenario.message);
  const { graphs, log, report, violations } = runScenario(scenario.value, { checkInvariants: true });
  if (given.trace !== null) {
    try {
      io.write(given.trace, traceLines(graphs, log));
    } catch (error) {
      return refuse(io, `--trace ${given.trace}: the file cannot be written: ${reason(error)}\n`);
    }
  }
  io.out(given.json || !io.terminal ? json(report) : reportText(report, scenario.value.title.en));
  for (const violation of violations) io.error(violationText(violation));
  if (violations.length > 0) return Exit.ourDefect;
  const { endToEnd } = report.verdict;
  if (given.expect === null) return Exit.ran;
  const place = verdicts.findIndex((word) => word === endToEnd);
  const asExpected = place >= 0 && place <= verdicts.indexOf(given.expect);
  if (!asExpected) io.error(`expected ${given.expect} end to end, the run is ${endToEnd}\n`);
  return asExpected ? Exit.ran : Exit.worseThanExpected;
}

function violationText({ invariant, step, message, entities }: Violation): string {
  return `${invariant} is violated at step ${step} (${entities.join(", ")}): ${message}\n`;
}

function list({ json: asJson }: Arguments, io: Io): ExitStatus {
  const scenarios = library.map(({ id, title, tags }) => ({ id, title, tags }));
  const eventList = Object.entries(events).map(([type, { fields }]) => ({
    type,
    fields,
    rule: eventRules[type as EventType] || null,
    says: eventSentences[type as EventType],
  }));
  if (asJson || !io.terminal)
    io.out(json({ scenarios, lessons: [], events: eventList, faults: faultVerbs, broken: brokenRules }));
  else {
    io.out(
      table(
        "Scenarios",
        ["id", "title", "tags"],
        scenarios.map(({ id, title, tags }) => [id, title.en, tags.join(", ")]),
      ),
    );
    io.out(
      table(
        "Events",
        ["type", "rule", "meaning"],
        eventList.map(({ type, rule, says }) => [type, rule ?? "", says]),
      ),
    );
    io.out(
      table(
        "Faults",
        ["do"],
        faultVerbs.map((verb) => [verb]),
      ),
    );
    io.out(
      table(
        "Rules that can be broken",
        ["rule"],
        brokenRules.map((rule) => [rule]),
      ),
    );
  }
  return Exit.ran;
}
