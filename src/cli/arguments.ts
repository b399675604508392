/** The command line's words, read before anything runs (the contract's section 4). */
import { parseArgs } from "node:util";
import { USUAL_PAIRS } from "../scenario/exploration.ts";
import { type VerdictWord, verdictWords } from "../scenario/report.ts";

export type Expectation = Exclude<VerdictWord, "pending">;
/** What can be expected, best to worst. */
export const verdicts: readonly Expectation[] = verdictWords.filter((word) => word !== "pending");

export const commands = ["list", "sweep", "search", "guarantees", "doctor", "import"] as const;
export type Command = (typeof commands)[number];

export interface Arguments {
  readonly command: Command | "run" | "schema" | "help";
  /** A scenario file or the id of a library scenario; empty where the command needs none. */
  readonly scenario: string;
  readonly json: boolean;
  readonly trace: string | null;
  /** JSON text of faults to add, in order. */
  readonly faults: readonly string[];
  readonly seed: string | null;
  /** `KEY=VALUE`, in order. */
  readonly set: readonly string[];
  readonly expect: Expectation | null;
  /** How many failures a run of a sweep or search gets. */
  readonly failures: number;
  /** How many states a search looks into at most. */
  readonly states: number;
  /** How many pairs of failures a sweep takes at most. */
  readonly pairs: number;
  /** How the guarantee table is written; `null`: as JSON, or as a table on a terminal. */
  readonly format: "markdown" | "csv" | null;
}

export type Read = { readonly ok: true; readonly value: Arguments } | { readonly ok: false; readonly message: string };

/** States that a search looks into where nothing is said. */
const STATES = 300_000;

export const usage = `usage: sim FILE|ID [--report] [--trace FILE] [--fault JSON]... [--seed N] [--set KEY=VALUE]... [--expect VERDICT]
       sim sweep FILE|ID [--failures 1|2] [--pairs N] [--expect VERDICT] [--json]
       sim search FILE|ID [--failures N] [--states N] [--json]
       sim guarantees [WORDS] [--json | --markdown | --csv]
       sim list [--json]
       sim --schema

  FILE|ID          a scenario file, or the id of a library scenario (see: sim list)
  --report, --json the report as JSON, also on a terminal
  --trace FILE     every event of the run, one JSON object a line
  --fault JSON     adds a fault, such as '{"at":{"time":"3 s"},"do":"fail-task","target":"total[1]"}'
  --seed N         another seed
  --set KEY=VALUE  a Flink option, or any place of the file by its JSON pointer (/cluster/slots=4)
  --expect VERDICT exit status 1 where the run ends worse than ${verdicts.join(", ")}
  --failures N     sweep: each run gets one failure (1), or pairs too (2); search: so many at most (1)
  --states N       search: how many states at most, ${STATES} where nothing is said
  --pairs N        sweep: how many pairs at most, ${USUAL_PAIRS} where nothing is said
  WORDS            guarantees: only cells with these words in their name, such as "kafka-sink none"
  --markdown, --csv guarantees: the table as Markdown, or one line a cell, reader and moment
  --schema         the JSON Schema of scenario files

exit status: 0 ran, 1 worse than expected, 2 bad input, 3 an invariant was violated (a defect of this program)
`;

const options = {
  report: { type: "boolean" },
  json: { type: "boolean" },
  trace: { type: "string" },
  fault: { type: "string", multiple: true },
  seed: { type: "string" },
  set: { type: "string", multiple: true },
  expect: { type: "string" },
  failures: { type: "string" },
  pairs: { type: "string" },
  states: { type: "string" },
  markdown: { type: "boolean" },
  csv: { type: "boolean" },
  schema: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export function readArguments(words: readonly string[]): Read {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(words);
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  const [first = "", ...rest] = positionals;
  const command = commands.find((known) => known === first);
  const base = {
    json: values.report === true || values.json === true,
    trace: values.trace ?? null,
    faults: values.fault ?? [],
    seed: values.seed ?? null,
    set: values.set ?? [],
    expect: verdicts.find((word) => word === values.expect) ?? null,
    failures: numberOf(values.failures, 1),
    pairs: numberOf(values.pairs, USUAL_PAIRS),
    states: numberOf(values.states, STATES),
    format: values.markdown === true ? ("markdown" as const) : values.csv === true ? ("csv" as const) : null,
  };
  if (values.help === true) return { ok: true, value: { ...base, command: "help", scenario: "" } };
  if (values.schema === true) return { ok: true, value: { ...base, command: "schema", scenario: "" } };
  if (values.expect !== undefined && base.expect === null) {
    return { ok: false, message: `--expect ${values.expect}: allowed are ${verdicts.join(", ")}` };
  }
  if (command === "sweep" && base.failures !== 1 && base.failures !== 2)
    return { ok: false, message: `--failures ${values.failures}: a sweep allows 1 and 2` };
  for (const name of ["failures", "pairs", "states"] as const)
    if (!Number.isSafeInteger(base[name]))
      return { ok: false, message: `--${name} ${values[name]}: must be a whole number` };
  if (command !== undefined) return { ok: true, value: { ...base, command, scenario: rest[0] ?? "" } };
  if (first === "") return { ok: false, message: "a scenario file or the id of a library scenario is missing" };
  if (rest.length > 0) return { ok: false, message: `one scenario at a time: ${rest.join(" ")} is too much` };
  return { ok: true, value: { ...base, command: "run", scenario: first } };
}

/** A whole number that is not negative; `NaN` where it is none. */
function numberOf(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function parse(words: readonly string[]) {
  return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
}
