/** One checkpoint by subtask: its timeline and its metrics, those of the whole run. */
import { type ReactElement, useMemo } from "react";
import { type CheckpointStats, checkpointStats } from "../../../projection/checkpoint-stats.ts";
import { type CheckpointTimeline, checkpointTimeline } from "../../../projection/checkpoint-timeline.ts";
import { factsOf } from "../../facts.ts";
import { type BranchRun, branchOf } from "../../store.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useApp } from "../../use-app.ts";
import type { Moment } from "../../use-view.ts";
import { Gantt } from "./gantt.tsx";
import { Status } from "./status.tsx";
import { Subtasks } from "./subtasks.tsx";

interface InTimeProps {
  readonly moment: Moment;
  /** `null`: the newest at the cursor. */
  readonly chosen: number | null;
  readonly choose: (id: number) => void;
}

interface Shown {
  /** Of all checkpoints, oldest first. */
  readonly ids: readonly number[];
  readonly stats: CheckpointStats;
  readonly timeline: CheckpointTimeline;
}

export function InTime({ moment, chosen, choose }: InTimeProps): ReactElement | null {
  const words = useCheckpointsText().time;
  const shown = useShown(moment, chosen);
  if (shown === null) return <p className="empty">{words.nothing}</p>;
  const pin = (): void => choose(shown.stats.id);
  return (
    <>
      <Gantt timeline={shown.timeline} stats={shown.stats} moment={moment} pin={pin} />
      <Subtasks timeline={shown.timeline} stats={shown.stats} moment={moment} pin={pin} />
    </>
  );
}

/** Which of the run's checkpoints is looked at, and what became of it. */
export function Choice({ moment, chosen, choose }: InTimeProps): ReactElement | null {
  const words = useCheckpointsText().time;
  const shown = useShown(moment, chosen);
  if (shown === null) return null;
  return (
    <>
      <label className="select">
        <span className="select-name">{words.choose}</span>
        <select value={shown.stats.id} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {shown.ids.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <span>
        <Status stats={shown.stats} moment={moment} />
      </span>
    </>
  );
}

function useShown(moment: Moment, chosen: number | null): Shown | null {
  const branch = useApp(branchOf);
  const id = chosen ?? moment.view.checkpoints.at(-1)?.id ?? null;
  const length = branch?.length ?? 0;
  return useMemo(() => (branch === null || length === 0 ? null : read(branch, id)), [branch, length, id]);
}

function read({ run }: BranchRun, id: number | null): Shown | null {
  const view = factsOf(run).lastView();
  const checkpoint = view.checkpoints.find((candidate) => candidate.id === id) ?? view.checkpoints[0];
  if (checkpoint === undefined) return null;
  return {
    ids: view.checkpoints.map((each) => each.id),
    stats: checkpointStats(view, checkpoint),
    timeline: checkpointTimeline(run.log, checkpoint),
  };
}
