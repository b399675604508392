/** Rows of sources and modes, columns of sinks with their readers; each cell is a button that shows its runs. */
import { type ReactElement, memo } from "react";
import { type Cell, type MomentId, type SourceKind, sourceKinds } from "../../scenario/guarantees/kinds.ts";
import { type CellResult, type Harm, harms, harmsOf, runsOf, seesNothing } from "../../scenario/guarantees/result.ts";
import { type ColumnOfTable, columnName, columnsOfTable, resultIn } from "../../scenario/guarantees/table.ts";
import { useGuaranteesText } from "../text/guarantees-text.ts";
import { sameCell } from "./store.ts";

interface MatrixProps {
  readonly results: readonly CellResult[];
  readonly going: boolean;
  /** `null`: all. */
  readonly source: string | null;
  readonly moment: MomentId | null;
  readonly chosen: Cell | null;
  readonly choose: (cell: Cell) => void;
}

export function Matrix(props: MatrixProps): ReactElement {
  const words = useGuaranteesText();
  const columns = columnsOfTable();
  return (
    // A scrolling region is reached by the keyboard only if it can be focused (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="guarantees-scroll" tabIndex={0} aria-label={words.caption}>
      <table className="guarantees-table">
        <caption className="visually-hidden">{words.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.corner}</th>
            {columns.map((column) => (
              <th key={columnName(column)} scope="col">
                <span className="mono">{column.sink}</span>
                {column.alone ? null : <span className="guarantees-reader">{column.reader}</span>}
              </th>
            ))}
          </tr>
        </thead>
        {sourceKinds
          .filter(({ id }) => props.source === null || id === props.source)
          .map((kind) => (
            <SourceRows key={kind.id} {...props} kind={kind} columns={columns} />
          ))}
      </table>
    </section>
  );
}

interface SourceRowsProps extends MatrixProps {
  readonly kind: SourceKind;
  readonly columns: readonly ColumnOfTable[];
}

function SourceRows({ kind, columns, results, going, moment, chosen, choose }: SourceRowsProps): ReactElement {
  const words = useGuaranteesText();
  const cellOf = (cell: Cell, column: ColumnOfTable): ReactElement => {
    const result = resultIn(results, cell);
    if (result === undefined) return <span className="guarantees-empty">{going ? words.computing : ""}</span>;
    const pressed = chosen !== null && sameCell(chosen, cell);
    return <CellButton result={result} column={column} moment={moment} pressed={pressed} choose={choose} />;
  };
  return (
    <tbody>
      <tr className="guarantees-source">
        <th scope="rowgroup" colSpan={columns.length + 1}>
          <span className="mono">{kind.id}</span>
        </th>
      </tr>
      {kind.modes.map((mode) => (
        <tr key={mode}>
          <th scope="row">{words.modes[mode]}</th>
          {columns.map((column) => (
            <td key={columnName(column)}>{cellOf({ source: kind.id, mode, sink: column.sink }, column)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface CellButtonProps {
  readonly result: CellResult;
  readonly column: ColumnOfTable;
  readonly moment: MomentId | null;
  readonly pressed: boolean;
  readonly choose: (cell: Cell) => void;
}

const CellButton = memo(function CellButton({
  result,
  column,
  moment,
  pressed,
  choose,
}: CellButtonProps): ReactElement {
  const words = useGuaranteesText();
  const seen = seenWords(result, column, moment);
  const name = `${result.cell.source}, ${words.modes[result.cell.mode]}, ${columnName(column)}`;
  return (
    <button
      type="button"
      className="guarantees-cell"
      aria-pressed={pressed}
      title={result.refused ?? undefined}
      onClick={() => choose(result.cell)}
    >
      <span className="visually-hidden">{words.open(name)}: </span>
      {seen.map((word) => (
        <span key={word} className="harm" data-harm={word}>
          {word === "exact" || word === "nothing" || word === "refused" || word === "none"
            ? words[word]
            : words.harms[word]}
        </span>
      ))}
    </button>
  );
});

type Word = Harm | "exact" | "nothing" | "refused" | "none";

/** What a cell says: `exact` where nothing is lost, doubled or wrong, beside what is less than that. */
function seenWords(result: CellResult, { reader }: ColumnOfTable, moment: MomentId | null): readonly Word[] {
  if (result.refused !== null) return ["refused"];
  if (runsOf(result, moment) === 0) return ["none"];
  if (seesNothing(result, reader)) return ["nothing"];
  const seen = harmsOf(result, reader, moment);
  const shown = harms.filter((harm) => seen[harm] !== undefined);
  const hurt = shown.some((harm) => harm !== "late" && harm !== "blocked");
  return hurt ? shown : ["exact", ...shown];
}
