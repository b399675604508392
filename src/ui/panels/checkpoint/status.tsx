import type { ReactElement } from "react";
import type { CheckpointStats } from "../../../projection/checkpoint-stats.ts";
import { checkpointLooks } from "../../../view/machines/presentations.ts";
import { StateChip } from "../../controls/state-chip.tsx";
import { percent } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

const looks = {
  IN_PROGRESS: checkpointLooks.PENDING,
  COMPLETED: checkpointLooks.COMPLETED,
  FAILED: checkpointLooks.ABORTED,
} as const;

/** Flink's status; of one that failed also why, and whether that counts against the tolerable number (CP-152). */
export function Status({ stats, moment }: { readonly stats: CheckpointStats; readonly moment: Moment }): ReactElement {
  const words = useCheckpointsText();
  const { stageText } = useText();
  const { status, failure, discarded } = stats;
  const label =
    status === "IN_PROGRESS"
      ? `${words.statuses[status]} (${percent(stats.acknowledged, stats.subtasks)})`
      : words.statuses[status];
  return (
    <>
      <StateChip look={looks[status]} label={label} />
      {discarded ? <span className="tag">{words.discarded}</span> : null}
      {failure === null ? null : (
        <span className="failure-note">
          {stageText.reason(failure)}{" "}
          {stats.counts
            ? words.counts(stats.failures, moment.scenario.config.checkpointing.tolerableFailed)
            : words.countsNot}
        </span>
      )}
    </>
  );
}
