/** The button that begins, pauses and goes on, how far it is, the moment that is looked at, and the files to keep. */
import { Download, Pause, Play, Square, Table2 } from "lucide-react";
import type { ReactElement } from "react";
import { type MomentId, cells, momentIds, sourceKinds } from "../../scenario/guarantees/kinds.ts";
import type { CellResult } from "../../scenario/guarantees/result.ts";
import { csvOf, markdownOf, resultIn } from "../../scenario/guarantees/table.ts";
import { save } from "../save-run.ts";
import { useGuaranteesText } from "../text/guarantees-text.ts";
import { type GuaranteeTable, type TableState, cellsOf } from "./store.ts";

interface ControlsProps {
  readonly table: GuaranteeTable;
  readonly shown: TableState;
  readonly chosen: { readonly source: string | null; readonly moment: MomentId | null };
  readonly chooseSource: (source: string | null) => void;
  readonly chooseMoment: (moment: MomentId | null) => void;
}

export function TableControls({ table, shown, chosen, chooseSource, chooseMoment }: ControlsProps): ReactElement {
  const words = useGuaranteesText();
  const running = shown.state === "going" || shown.state === "paused";
  return (
    <div className="guarantees-controls">
      <div className="guarantees-bar">
        <MainButton table={table} shown={shown} source={chosen.source} />
        {running ? (
          <button type="button" className="button" onClick={() => table.stop()}>
            <Square aria-hidden />
            {words.stop}
          </button>
        ) : null}
        <Progress shown={shown} source={chosen.source} />
        <Saves results={shown.results} />
      </div>
      {shown.state === "failed" ? (
        <div className="guarantees-trouble" role="alert">
          <p>{words.failed}</p>
          <p className="failure-message">{shown.message}</p>
        </div>
      ) : null}
      <div className="guarantees-bar">
        <Sources source={chosen.source} choose={chooseSource} />
        <Moments moment={chosen.moment} choose={chooseMoment} />
      </div>
    </div>
  );
}

interface ButtonProps {
  readonly table: GuaranteeTable;
  readonly shown: TableState;
  readonly source: string | null;
}

/** Cells of a source that are there, and all that it has. */
function countsOf({ results }: TableState, source: string | null): { readonly done: number; readonly total: number } {
  const done = results.filter(({ cell }) => source === null || cell.source === source).length;
  return { done, total: cellsOf(source).length };
}

/** One button throughout, so that the focus stays where it is. */
function MainButton({ table, shown, source }: ButtonProps): ReactElement {
  const words = useGuaranteesText();
  const { state } = shown;
  const { done, total } = countsOf(shown, source);
  const begin = { label: done === 0 ? words.start : done < total ? words.more : words.again };
  const now = {
    going: { label: words.pause, Icon: Pause, act: () => table.pause() },
    paused: { label: words.resume, Icon: Play, act: () => table.resume() },
  };
  const { label, Icon, act } =
    state === "going" || state === "paused"
      ? now[state]
      : { ...begin, Icon: Table2, act: () => void table.start(source) };
  return (
    <button type="button" className={state === "going" ? "button" : "button primary"} onClick={act}>
      <Icon aria-hidden />
      {label}
    </button>
  );
}

function Progress({ shown, source }: Omit<ButtonProps, "table">): ReactElement | null {
  const words = useGuaranteesText();
  const { state, results, seconds } = shown;
  const { done, total } = countsOf(shown, source);
  if (state === "idle") return null;
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const said = [
    words.figures(done, total, runs),
    ...(state === "done" ? [words.seconds(seconds)] : []),
    ...(state === "paused" ? [words.paused] : []),
    ...(state === "stopped" ? [words.stopped] : []),
  ].join(" · ");
  return (
    <div className="guarantees-progress">
      <progress aria-label={words.progress} max={total} value={done} aria-valuetext={said} />
      <span data-testid="guarantees-figures">{said}</span>
    </div>
  );
}

function Saves({ results }: { readonly results: readonly CellResult[] }): ReactElement {
  const words = useGuaranteesText();
  const keep = (name: string, type: string, textOf: (all: readonly CellResult[]) => string): void =>
    save(name, type, [textOf(cells().flatMap((cell) => resultIn(results, cell) ?? []))]);
  return (
    <div className="guarantees-saves">
      <button
        type="button"
        className="button small"
        disabled={results.length === 0}
        onClick={() => keep("guarantees.md", "text/markdown", markdownOf)}
      >
        <Download aria-hidden />
        {words.saveMarkdown}
      </button>
      <button
        type="button"
        className="button small"
        disabled={results.length === 0}
        onClick={() => keep("guarantees.csv", "text/csv", csvOf)}
      >
        <Download aria-hidden />
        {words.saveCsv}
      </button>
    </div>
  );
}

interface SourcesProps {
  readonly source: string | null;
  readonly choose: (source: string | null) => void;
}

function Sources({ source, choose }: SourcesProps): ReactElement {
  const words = useGuaranteesText();
  return (
    <label className="select">
      {words.source}
      <select value={source ?? ""} onChange={({ currentTarget }) => choose(currentTarget.value || null)}>
        <option value="">{words.anySource}</option>
        {sourceKinds.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MomentsProps {
  readonly moment: MomentId | null;
  readonly choose: (moment: MomentId | null) => void;
}

function Moments({ moment, choose }: MomentsProps): ReactElement {
  const words = useGuaranteesText();
  return (
    <label className="select">
      {words.moment}
      <select
        value={moment ?? ""}
        onChange={({ currentTarget }) => choose(momentIds.find((each) => each === currentTarget.value) ?? null)}
      >
        <option value="">{words.anyMoment}</option>
        {momentIds.map((each) => (
          <option key={each} value={each}>
            {words.moments[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
