/** The measures of the runs in one table; how one differs from the first is told in words. */
import type { ReactElement } from "react";
import type { RunMeasures } from "../../projection/run-measures.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { outcomeOfReport } from "../outcome.ts";
import { useCompareText } from "../text/compare-text.ts";
import { type Figure, type FigureName, figureNames, figures } from "./figures.ts";
import { nameOfRun, shortNameOf } from "./names.ts";
import { type ComparedRun, isComputing, ownNotices } from "./runs.ts";

interface TableProps {
  readonly runs: readonly ComparedRun[];
}

export function FiguresTable({ runs }: TableProps): ReactElement {
  const words = useCompareText();
  const reference = runs.find(({ measures }) => measures !== null) ?? null;
  const untouched = runs.every(({ measures }) => measures === null || measures.checkpoints.length === 0);
  return (
    <section className="compare-figures">
      {runs.some(isComputing) ? <p className="muted">{words.pending}</p> : null}
      {reference !== null && untouched ? <p className="muted">{words.noCheckpoints}</p> : null}
      <table className="table compare-table">
        <caption className="visually-hidden">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.measure(reference === null ? null : shortNameOf(reference, words))}</th>
            {runs.map((compared) => (
              <th key={compared.id} scope="col">
                {nameOfRun(compared, words)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Results runs={runs} />
          {figureNames.map((name) => (
            <Row key={name} name={name} runs={runs} reference={reference} />
          ))}
          <Notices runs={runs} />
        </tbody>
      </table>
    </section>
  );
}

function Results({ runs }: TableProps): ReactElement {
  const words = useCompareText();
  return (
    <tr>
      <th scope="row">{words.result}</th>
      {runs.map(({ id, report }) => (
        <td key={id}>{report === null ? "…" : <OutcomeWord outcome={outcomeOfReport(report)} />}</td>
      ))}
    </tr>
  );
}

interface RowProps extends TableProps {
  readonly name: FigureName;
  readonly reference: ComparedRun | null;
}

function Row({ name, runs, reference }: RowProps): ReactElement {
  const words = useCompareText();
  const [title, meaning] = words.figures[name];
  return (
    <tr data-figure={name}>
      <th scope="row">
        {title}
        {meaning === "" ? null : <span className="compare-note">{meaning}</span>}
      </th>
      {runs.map((compared) => (
        <td key={compared.id}>
          {compared.measures === null ? (
            isComputing(compared) ? (
              "…"
            ) : (
              "–"
            )
          ) : (
            <Value
              figure={figures[name]}
              of={compared.measures}
              reference={compared === reference ? null : (reference?.measures ?? null)}
            />
          )}
        </td>
      ))}
    </tr>
  );
}

interface ValueProps {
  readonly figure: Figure;
  readonly of: RunMeasures;
  /** `null`: it is the first itself. */
  readonly reference: RunMeasures | null;
}

function Value({ figure, of, reference }: ValueProps): ReactElement {
  const words = useCompareText();
  const value = figure.of(of);
  const before = reference === null ? null : figure.of(reference);
  const wrong = figure.wrong === true && (value ?? 0) > 0;
  return (
    <>
      <span className={wrong ? "compare-wrong" : "compare-value"}>
        {value === null ? words.none : words.units[figure.unit](value)}
      </span>
      {value === null || before === null ? null : (
        <span className={value === before ? "compare-note" : "compare-note differs"}>
          {value === before
            ? words.same
            : value < before
              ? words.less(words.units[figure.unit](before - value))
              : words.more(words.units[figure.unit](value - before))}
        </span>
      )}
    </>
  );
}

/** What Flink says to one of them and not to all. */
function Notices({ runs }: TableProps): ReactElement | null {
  const words = useCompareText();
  const notices = runs.map((compared) => ownNotices(compared, runs));
  if (notices.every((list) => list.length === 0)) return null;
  return (
    <tr>
      <th scope="row">{words.notices}</th>
      {runs.map(({ id }, index) => (
        <td key={id} className="compare-notices">
          {(notices[index] ?? []).map(({ code, path, message }) => (
            <p key={`${code} ${path}`}>
              <code>{path.replace("config.", "")}</code> {message}
            </p>
          ))}
        </td>
      ))}
    </tr>
  );
}
