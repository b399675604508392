/** The difference of two runs as a file: as JSON for programs, as Markdown for people. Both hold what the page lists. */
import type { FirstEffect, InputDifference } from "../../projection/input-diff.ts";
import type { Side } from "../../projection/run-diff.ts";
import type { Command } from "../../scenario/scenario.ts";
import { commandText } from "../../scenario/command-text.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { figureNames, figures } from "./figures.ts";
import { nameOfRun } from "./names.ts";
import { type SummaryWords, sentenceInWords } from "./summary-words.ts";
import type { OneOfTwo, Two } from "./two.ts";

interface WrittenEvent {
  readonly run: Side;
  readonly step: number;
  readonly clock: number;
  readonly says: string;
  /** The step of its cause; `null`: it has none. */
  readonly cause: number | null;
}

interface WrittenDifference {
  readonly what: InputDifference["kind"];
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
  readonly firstEvent: WrittenEvent | null;
}

/** Times in simulated milliseconds; `a` and `b` are the two runs. */
export interface WrittenFile {
  readonly difference: 1;
  readonly runs: { readonly [S in Side]: { readonly name: string; readonly events: number; readonly verdict: string } };
  readonly firstDifference: { readonly step: number; readonly a: string | null; readonly b: string | null } | null;
  readonly events: { readonly onlyA: number; readonly onlyB: number; readonly changed: number; readonly moved: number };
  readonly given: readonly WrittenDifference[];
  readonly summary: readonly string[];
  readonly figures: { readonly [name: string]: { readonly [S in Side]: number | null } };
}

export function differenceFile(two: Two, words: SummaryWords): WrittenFile {
  const { diff, a, b } = two;
  const runs = { a: a.run, b: b.run };
  const step = diff.divergence;
  const at = ({ run }: OneOfTwo): string | null =>
    step === null || step >= run.log.length ? null : sentenceOf(run, step, words.text);
  const [measuresA, measuresB] = [a.compared.measures, b.compared.measures];
  return {
    difference: 1,
    runs: { a: writtenRun(a, words), b: writtenRun(b, words) },
    firstDifference: step === null ? null : { step, a: at(a), b: at(b) },
    events: {
      onlyA: diff.onlyA.length,
      onlyB: diff.onlyB.length,
      changed: diff.changed.length,
      moved: diff.moved.length,
    },
    given: two.inputs.map((input) => writtenDifference(input, two, words)),
    summary: two.summary.map((sentence) => sentenceInWords(sentence, runs, words)),
    figures: Object.fromEntries(
      figureNames.map((name) => {
        const { of } = figures[name];
        return [name, { a: measuresA === null ? null : of(measuresA), b: measuresB === null ? null : of(measuresB) }];
      }),
    ),
  };
}

function writtenRun({ run, compared }: OneOfTwo, { words }: SummaryWords): WrittenFile["runs"][Side] {
  const verdict = compared.report?.verdict.endToEnd ?? "pending";
  return { name: nameOfRun(compared, words), events: run.log.length, verdict };
}

function writtenDifference(input: InputDifference, two: Two, words: SummaryWords): WrittenDifference {
  const firstEvent = input.effect === null ? null : writtenEvent(input.effect, two, words);
  if (input.kind !== "command") {
    const name = input.kind === "option" ? input.key : input.path;
    return { what: input.kind, name, a: input.a, b: input.b, firstEvent };
  }
  const acted = (of: { readonly command: Command; readonly clock: number | null } | null): unknown =>
    of === null ? null : { ...commandText(of.command), clock: of.clock };
  const command = (input.a ?? input.b)?.command;
  const name = command === undefined ? "" : commandName(command, words.text);
  return { what: "command", name, a: acted(input.a), b: acted(input.b), firstEvent };
}

function writtenEvent({ side, step, cause }: FirstEffect, two: Two, { text }: SummaryWords): WrittenEvent {
  const { run } = two[side];
  return {
    run: side,
    step,
    clock: run.log.clock(step),
    says: sentenceOf(run, step, text),
    cause: cause < 0 ? null : cause,
  };
}

/** The same for people. */
export function differenceMarkdown(file: WrittenFile, { words }: SummaryWords): string {
  const { runs, firstDifference, given, summary } = file;
  const { markdown } = words;
  const lines = [
    `# ${markdown.title}`,
    "",
    `- A: ${runs.a.name} (${markdown.ended(runs.a.events, runs.a.verdict)})`,
    `- B: ${runs.b.name} (${markdown.ended(runs.b.events, runs.b.verdict)})`,
    "",
    `## ${words.inShort}`,
    "",
    ...(summary.length === 0 ? [words.identical] : summary.map((sentence) => `- ${sentence}`)),
    "",
    `## ${words.difference}`,
    "",
    ...(firstDifference === null
      ? [words.identical]
      : [
          `${markdown.event(firstDifference.step)}`,
          "",
          `- A: ${firstDifference.a ?? words.isOver}`,
          `- B: ${firstDifference.b ?? words.isOver}`,
          "",
          words.counts(file.events.onlyA, file.events.onlyB, file.events.changed, file.events.moved),
        ]),
    "",
    `## ${words.given.title}`,
    "",
    ...(given.length === 0 ? [words.given.none] : givenTable(given, words)),
    "",
    `## ${words.table}`,
    "",
    ...table(
      [markdown.figure, "A", "B"],
      figureNames.map((name) => {
        const row = file.figures[name];
        const value = (of: number | null | undefined): string =>
          of === null || of === undefined ? words.none : words.units[figures[name].unit](of);
        return [words.figures[name][0], value(row?.a), value(row?.b)];
      }),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function givenTable(given: readonly WrittenDifference[], words: SummaryWords["words"]): string[] {
  const value = (of: unknown): string => {
    if (of === null) return words.given.absent;
    if (typeof of === "string") return `\`${of}\``;
    const { clock } = of as { readonly clock: number | null };
    return clock === null ? words.given.never : words.given.acts(clockTime(clock));
  };
  return table(
    [words.given.what, "A", "B", words.given.first],
    given.map(({ name, a, b, firstEvent }) => [
      name,
      value(a),
      value(b),
      firstEvent === null
        ? words.given.noEffect
        : `${firstEvent.run.toUpperCase()}, ${clockTime(firstEvent.clock)}: ${firstEvent.says}`,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
