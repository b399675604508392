/** The job is started from a drawn cut, in a branch of its own; and what has become of it there. */
import { RotateCcw } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { type DrawnCut, recordOf } from "../../projection/drawn-cut.ts";
import type { Verdict } from "../../projection/global-cuts.ts";
import { EventNumber } from "../../protocol/events.ts";
import { recordName } from "../../protocol/ids.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import { changeSettings } from "../app-actions.ts";
import { ownerOf } from "../branch-owner.ts";
import { useController } from "../controller-context.ts";
import { OutcomeGlyph } from "../controls/outcome-word.tsx";
import { outcomeOfReport } from "../outcome.ts";
import { type BranchRun, appStore } from "../store.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { useText } from "../text/use-text.ts";

interface RestoreCutProps {
  readonly branch: BranchRun;
  readonly drawn: DrawnCut;
  readonly verdict: Verdict;
}

export function RestoreCut({ branch, drawn, verdict }: RestoreCutProps): ReactElement {
  const words = useSpaceTimeText().cut;
  const controller = useController();
  const { step, command, obstacle } = drawn;
  const { log, jobs } = branch.run;
  const restore = (): void => {
    const { session } = appStore.getState();
    if (session === null || obstacle !== null) return;
    controller.decide(ownerOf(session, branch.branch.id, step), [{ step, command }], step);
  };
  const carried = (messages: Verdict["violations"]): number[] =>
    messages.map((message) => recordOf(log, message)).filter((record) => record >= 0);
  const { graph } = jobs.at(branch.length - 1);
  const twice = [...new Set(carried(verdict.violations))].map((record) => recordName(graph, record));
  const inTransit = verdict.inTransit.filter(
    ({ received }) => log.type(received) === EventNumber.RecordReceived,
  ).length;
  return (
    <div className="cut-restore">
      <button
        type="button"
        className="button small primary"
        aria-disabled={obstacle !== null}
        aria-describedby="cut-restore-note"
        onClick={restore}
      >
        <RotateCcw aria-hidden />
        {words.restore}
      </button>
      <p id="cut-restore-note" className="muted">
        {obstacle !== null
          ? words.cannot(words.obstacles[obstacle.reason], obstacle.subtask)
          : twice.length > 0
            ? words.twice(twice)
            : verdict.violations.length > 0
              ? words.harmless
              : words.restoreNote(inTransit)}
      </p>
    </div>
  );
}

interface RestoredProps {
  readonly branch: BranchRun;
  /** So many records break the cut; `null`: the parts are not there yet. */
  readonly broken: number | null;
}

/** Of a branch whose job was started from a drawn cut. */
export function Restored({ branch, broken }: RestoredProps): ReactElement {
  const text = useText();
  const words = useSpaceTimeText().restored;
  const controller = useController();
  const { report } = branch;
  const { parent, step } = branch.branch;
  const outcome = report === null ? null : outcomeOfReport(report);
  const count = (of: "lost" | "duplicated"): number =>
    (report?.delivery ?? []).reduce((sum, row) => sum + (isCommitted(row.reader) ? row[of].length : 0), 0);
  const told =
    outcome === null ? words.waiting : words.outcome(text.outcome.words[outcome], count("lost"), count("duplicated"));
  useEffect(() => {
    if (outcome !== null) controller.announce({ says: "words", words: told });
  }, [controller, outcome, told]);
  return (
    <section className="cut-bar" aria-label={words.title}>
      <p className="cut-outcome">
        {outcome === null ? null : <OutcomeGlyph outcome={outcome} solid />}
        <strong>{broken === null && report !== null ? words.refused : told}</strong>{" "}
        {broken === null ? null : broken === 0 ? words.consistent : words.violated(broken)}
      </p>
      <div className="panel-bar">
        <button type="button" className="button small" onClick={() => changeSettings({ dock: "ledger" })}>
          {words.ledger}
        </button>
        <button type="button" className="button small" onClick={() => controller.goTo(step)}>
          {words.go}
        </button>
        {parent === null ? null : (
          <button type="button" className="button small" onClick={() => controller.showAt(parent, step - 1)}>
            {words.back}
          </button>
        )}
      </div>
    </section>
  );
}
