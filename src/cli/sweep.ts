/** `sim sweep`: the kill sweep at a terminal (the contract's section 5), over a pool of threads. */
import { severity } from "../explorer/severity.ts";
import { type HarmfulRun, type Injection, type SweepTotals, faultText } from "../scenario/exploration.ts";
import { verdictWords } from "../scenario/report.ts";
import { runLink } from "../scenario/run-link.ts";
import type { SweepReply } from "../worker/port.ts";
import { SweepPool } from "../worker/sweep-pool.ts";
import type { Arguments } from "./arguments.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { table } from "./report-text.ts";
import { readScenario } from "./scenario-file.ts";

/** Harmful runs that the table on a terminal shows. */
const SHOWN = 20;

export async function sweep(given: Arguments, io: Io): Promise<ExitStatus> {
  const scenario = readScenario(given, io);
  if (!scenario.ok) {
    io.error(scenario.message);
    return Exit.badInput;
  }
  const question = { failures: given.failures === 2 ? 2 : 1, pairs: given.pairs } as const;
  const end = await ended(new SweepPool({ scenario: scenario.value, decisions: [], question }, io.pool), io);
  if (end.type !== "finished") throw new Error(end.type === "failed" ? end.message : "the sweep did not end");
  const { totals, seconds } = end;
  if (given.json || !io.terminal) io.out(`${JSON.stringify(publicOf(totals, seconds, scenario.source), null, 2)}\n`);
  else io.out(sweepText(totals, seconds, scenario.value.id));
  return statusOf(totals, given, io);
}

/** Waits for the end and tells on the way how far it has come. */
function ended(pool: SweepPool, io: Io): Promise<SweepReply> {
  return new Promise((resolve) => {
    pool.subscribe((reply) => {
      if (reply.type !== "progress") resolve(reply);
      else if (io.terminal)
        io.error(
          `\r${Math.round((100 * reply.done) / reply.total)} %, ${reply.totals.runs.toLocaleString("en")} runs `,
        );
    });
  });
}

function statusOf({ violations, outcomes }: SweepTotals, { expect }: Arguments, io: Io): ExitStatus {
  for (const { invariant, message, injections } of violations.slice(0, 1))
    io.error(`${invariant} is violated with ${injections.map(injectionText).join(", then ")}: ${message}\n`);
  if (violations.length > 0) return Exit.ourDefect;
  if (expect === null) return Exit.ran;
  const worse = verdictWords.filter((word) => outcomes[word] > 0 && severity(word) > severity(expect));
  if (worse.length === 0) return Exit.ran;
  io.error(
    `expected ${expect} end to end, but ${worse.map((word) => `${outcomes[word]} runs are ${word}`).join(", ")}\n`,
  );
  return Exit.worseThanExpected;
}

function injectionText({ step, command: { do: verb, target, rpc } }: Injection): string {
  return [verb, rpc, target, `at step ${step}`].filter((word) => word !== null).join(" ");
}

/** The contract's object; `distinct`, `harmfulCount` and `violations` are ours. */
function publicOf(totals: SweepTotals, seconds: number, source: unknown): unknown {
  const { runs, distinct, outcomes, flags, harmful, harmfulCount, violations, covered } = totals;
  return {
    runs,
    distinct,
    seconds,
    outcomes,
    flags,
    harmful: harmful.map(({ verdict, state, injections, lost, duplicated, flags: raised }) => {
      const faults = injections.map(faultText);
      return { verdict, state, faults, lost, duplicated, flags: raised, link: runLink(source, faults) };
    }),
    harmfulCount,
    violations: violations.map(({ invariant, message, injections }) => ({
      invariant,
      message,
      faults: injections.map(faultText),
    })),
    covered,
  };
}

function sweepText(totals: SweepTotals, seconds: number, id: string): string {
  const { runs, distinct, outcomes, flags, harmful, harmfulCount, covered } = totals;
  const count = (value: number): string => value.toLocaleString("en");
  const present = (counts: { readonly [word: string]: number }): string[][] =>
    Object.entries(counts)
      .filter(([, value]) => value > 0)
      .map(([word, value]) => [word, count(value)]);
  return [
    `${id}: ${count(runs)} runs in ${seconds.toFixed(1)} s, ${count(distinct)} of them to an end of their own\n  ${covered}\n`,
    table("End to end", ["verdict", "runs"], present(outcomes)),
    table("Among them", ["what", "runs"], present(flags)),
    table(
      harmfulCount > SHOWN ? `Harmful runs, ${SHOWN} of ${count(harmfulCount)}` : "Harmful runs",
      ["verdict", "state", "lost", "duplicated", "failures"],
      harmful.slice(0, SHOWN).map(harmfulRow),
    ),
  ].join("");
}

function harmfulRow({ verdict, state, lost, duplicated, injections }: HarmfulRun): string[] {
  return [
    verdict,
    state,
    String(lost.length),
    String(duplicated.length),
    injections.map(injectionText).join(", then "),
  ];
}
