/** The docs page of the trace's events, made from their declarations. */
import { eventRules } from "./event-rules.ts";
import { eventSentences } from "./event-sentences.ts";
import type { EventDeclaration } from "./event-table.ts";
import {} from "./events.ts";
import { type EventType, events } from "./events.ts";

export function eventPage(): string {
  const head = [
    "# Events of the trace",
    "",
    "One line of NDJSON an event, in order. Every entry has `step`, `clock` (milliseconds of simulated time), `type`, `submission`,",
    "the fields of its type, `cause` (the step that caused it, or `null`), `moves` (state machine edges taken: `machine`, `instance`,",
    "`from`, `to`) and `rule` (the rule it carries out, or `null`). Where there is a `subtask` there is its `vertex` too. A field that",
    "does not apply is `null`.",
    "",
    "This page is made from `src/protocol/events.ts`.",
    "",
    "| event | fields | rule | |",
    "|---|---|---|---|",
  ];
  const rows = Object.entries(events).map(([type, declaration]) => row(type as EventType, declaration));
  return `${[...head, ...rows].join("\n")}\n`;
}

function row(type: EventType, { fields }: EventDeclaration): string {
  const names = Object.entries(fields).map(([field, kind]) => `\`${kind === "operator" ? "vertex" : field}\``);
  return `| \`${type}\` | ${names.join(", ")} | ${eventRules[type]} | ${eventSentences[type]} |`;
}
