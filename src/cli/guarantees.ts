/** `sim guarantees`: the guarantee table (SK-040) at a terminal, computed over a pool of threads. */
import { cells, nameOfCell } from "../scenario/guarantees/kinds.ts";
import type { CellResult } from "../scenario/guarantees/result.ts";
import {
  columnName,
  columnsOfTable,
  csvOf,
  guaranteesJson,
  markdownOf,
  wordsOf,
} from "../scenario/guarantees/table.ts";
import { faultText } from "../scenario/exploration.ts";
import { GuaranteePool } from "../worker/guarantee-pool.ts";
import type { Arguments } from "./arguments.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { table } from "./report-text.ts";

export async function guarantees(given: Arguments, io: Io): Promise<ExitStatus> {
  const chosen = cells().filter((cell) => nameOfCell(cell).includes(given.scenario));
  if (chosen.length === 0) {
    io.error(`sim guarantees ${given.scenario}: no cell has this in its name; there are:\n`);
    for (const cell of cells()) io.error(`  ${nameOfCell(cell)}\n`);
    return Exit.badInput;
  }
  const results = new Map<string, CellResult>();
  const seconds = await ended(new GuaranteePool(chosen, io.pool), results, io);
  // In the order of the table, whichever came first.
  const all = chosen.flatMap((cell) => results.get(nameOfCell(cell)) ?? []);
  io.out(textOf(all, seconds, given, io.terminal));
  const wrong = all.flatMap(({ cell, violations }) => violations.map((violation) => ({ cell, ...violation })));
  for (const { cell, invariant, injection } of wrong.slice(0, 1))
    io.error(`${invariant} is violated in ${nameOfCell(cell)}: ${injection && JSON.stringify(faultText(injection))}\n`);
  return wrong.length > 0 ? Exit.ourDefect : Exit.ran;
}

function textOf(
  results: readonly CellResult[],
  seconds: number,
  { json, format }: Arguments,
  terminal: boolean,
): string {
  if (format === "markdown") return markdownOf(results);
  if (format === "csv") return csvOf(results);
  if (json || !terminal) return `${JSON.stringify(guaranteesJson(results, seconds), null, 2)}\n`;
  const runs = results.reduce((sum, result) => sum + result.runs, 0).toLocaleString("en");
  const rows = results.flatMap((result) =>
    columnsOfTable()
      .filter(({ sink }) => sink === result.cell.sink)
      .map((column) => [
        result.cell.source,
        result.cell.mode,
        columnName(column),
        wordsOf(result, column.reader, null) ?? "",
      ]),
  );
  const heading = `What ${runs} runs with one failure come to, in ${seconds.toFixed(1)} s`;
  return table(heading, ["source", "checkpointing", "sink", "what its reader can meet"], rows);
}

/** Waits for the end and tells on the way how far it has come; resolves to seconds. */
function ended(pool: GuaranteePool, results: Map<string, CellResult>, io: Io): Promise<number> {
  return new Promise((resolve, reject) => {
    pool.subscribe((reply) => {
      if (reply.type === "finished") resolve(reply.seconds);
      else if (reply.type === "failed") reject(new Error(reply.message));
      else {
        results.set(nameOfCell(reply.result.cell), reply.result);
        if (io.terminal) io.error(`\r${reply.done} of ${reply.total} cells `);
      }
    });
  });
}
