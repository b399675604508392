/** The button that begins, pauses and goes on, how far it is, the moment that is looked at, and the files to keep. */
import { Download, Pause, Play, Square, Table2 } from "lucide-react";
import type { ReactElement } from "react";
import { type MomentId, cells, momentIds } from "../../scenario/guarantees/kinds.ts";
import type { CellResult } from "../../scenario/guarantees/result.ts";
import { csvOf, markdownOf, resultIn } from "../../scenario/guarantees/table.ts";
import { save } from "../save-run.ts";
import { useGuaranteesText } from "../text/guarantees-text.ts";
import type { GuaranteeTable, TableState } from "./store.ts";

interface ControlsProps {
  readonly table: GuaranteeTable;
  readonly shown: TableState;
  readonly moment: MomentId | null;
  readonly chooseMoment: (moment: MomentId | null) => void;
}

export function TableControls({ table, shown, moment, chooseMoment }: ControlsProps): ReactElement {
  const words = useGuaranteesText();
  const running = shown.state === "going" || shown.state === "paused";
  return (
    <div className="guarantees-controls">
      <div className="guarantees-bar">
        <MainButton table={table} shown={shown} />
        {running ? (
          <button type="button" className="button" onClick={() => table.stop()}>
            <Square aria-hidden />
            {words.stop}
          </button>
        ) : null}
        <Progress shown={shown} />
        <Saves results={shown.results} />
      </div>
      {shown.state === "failed" ? (
        <div className="guarantees-trouble" role="alert">
          <p>{words.failed}</p>
          <p className="failure-message">{shown.message}</p>
        </div>
      ) : null}
      <Moments moment={moment} choose={chooseMoment} />
    </div>
  );
}

/** One button throughout, so that the focus stays where it is. */
function MainButton({ table, shown: { state, results, total } }: Pick<ControlsProps, "table" | "shown">): ReactElement {
  const words = useGuaranteesText();
  const begin = { label: results.length === 0 ? words.start : results.length < total ? words.more : words.again };
  const now = {
    going: { label: words.pause, Icon: Pause, act: () => table.pause() },
    paused: { label: words.resume, Icon: Play, act: () => table.resume() },
  };
  const { label, Icon, act } =
    state === "going" || state === "paused" ? now[state] : { ...begin, Icon: Table2, act: () => void table.start() };
  return (
    <button type="button" className={state === "going" ? "button" : "button primary"} onClick={act}>
      <Icon aria-hidden />
      {label}
    </button>
  );
}

function Progress({ shown: { state, results, total, seconds } }: { readonly shown: TableState }): ReactElement | null {
  const words = useGuaranteesText();
  if (state === "idle") return null;
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const said = [
    words.figures(results.length, total, runs),
    ...(state === "done" ? [words.seconds(seconds)] : []),
    ...(state === "paused" ? [words.paused] : []),
    ...(state === "stopped" ? [words.stopped] : []),
  ].join(" · ");
  return (
    <div className="guarantees-progress">
      <progress aria-label={words.progress} max={total} value={results.length} aria-valuetext={said} />
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
