/** The runs of one cell by the moment of the failure, and for each harm the run that shows it best, which opens. */
import { type ReactElement, useEffect, useRef } from "react";
import { faultText, type Injection } from "../../scenario/exploration.ts";
import { cellScenario } from "../../scenario/guarantees/cell-scenario.ts";
import { type Cell, sinkKinds } from "../../scenario/guarantees/kinds.ts";
import { type CellResult, type HarmsSeen, harms } from "../../scenario/guarantees/result.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { documentOfLink, runLink } from "../../scenario/run-link.ts";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { commandName } from "../fault-name.ts";
import { count } from "../format.ts";
import { prettyJson } from "../pretty-json.ts";
import { appStore } from "../store.ts";
import { useGuaranteesText } from "../text/guarantees-text.ts";
import { useText } from "../text/use-text.ts";

export function CellRuns({ result }: { readonly result: CellResult }): ReactElement {
  const words = useGuaranteesText();
  const { cell, refused, moments, entries, runs, violations } = result;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section ref={section} className="guarantees-runs" aria-label={words.chosen}>
      <h3>
        <span className="mono">{cell.source}</span> · {words.modes[cell.mode]} ·{" "}
        <span className="mono">{cell.sink}</span>
      </h3>
      <p className="muted">{refused ?? words.detail(entries, runs)}</p>
      {violations.length > 0 ? (
        <p className="guarantees-trouble" role="alert">
          {words.violations(violations.length)}
        </p>
      ) : null}
      {refused === null ? <RunsTable cell={cell} moments={moments} /> : null}
    </section>
  );
}

function RunsTable({ cell, moments }: Pick<CellResult, "cell" | "moments">): ReactElement {
  const words = useGuaranteesText();
  const readers = sinkKinds.find(({ id }) => id === cell.sink)?.readers ?? [];
  return (
    <table className="table">
      <caption className="visually-hidden">{words.detailCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.momentColumn}</th>
          <th scope="col" className="number">
            {words.runsColumn}
          </th>
          {readers.map((reader) => (
            <th key={reader} scope="col">
              {readers.length > 1 ? <span className="mono">{reader}</span> : words.harmsColumn}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moments.map((row) => (
          <tr key={row.moment}>
            <th scope="row">{words.moments[row.moment]}</th>
            <td className="number">{count(row.runs)}</td>
            {row.readers.map(({ reader, harms: seen }) => (
              <td key={reader}>
                <Harms cell={cell} seen={seen} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Harms({ cell, seen }: { readonly cell: Cell; readonly seen: HarmsSeen }): ReactElement {
  const words = useGuaranteesText();
  const text = useText();
  const controller = useController();
  const shown = harms.flatMap((harm) => {
    const found = seen[harm];
    return found === undefined ? [] : [{ harm, ...found }];
  });
  if (shown.length === 0) return <span className="muted">{words.nothingElse}</span>;
  return (
    <ul className="guarantees-harms">
      {shown.map(({ harm, runs, worst }) => (
        <li key={harm}>
          <button
            type="button"
            className="link-button"
            title={words.failureOf(commandName(worst.command, text), worst.step)}
            onClick={() => openRun(controller, cell, worst)}
          >
            {words.harmOf(words.harms[harm], runs)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Opens the run as its link would, at the failure, with the ledger in sight. */
function openRun(controller: Controller, cell: Cell, injection: Injection): void {
  const text = prettyJson(documentOfLink(runLink(cellScenario(cell), [faultText(injection)])));
  const parsed = parseScenario(text);
  if (!parsed.ok) {
    appStore.setState({ refused: { name: "guarantee", text, problems: parsed.problems } });
    return;
  }
  changeSettings({ dock: "ledger" });
  const { step } = injection;
  controller.open({ scenario: parsed.value, text, library: null }, { keepTime: false, play: false, step });
}
