import type { ReactElement, ReactNode } from "react";
import type { CheckpointStatistics, CheckpointStats } from "../../../projection/checkpoint-stats.ts";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";

interface OverviewProps {
  readonly statistics: CheckpointStatistics;
  readonly show: (id: number) => void;
}

export function Overview({ statistics, show }: OverviewProps): ReactElement {
  const { overview } = useCheckpointsText();
  const { stageText } = useText();
  const { counts, latestCompleted, latestFailed, latestSavepoint, latestRestore } = statistics;
  const failure = latestFailed?.failure ?? null;
  const took = (stats: CheckpointStats): string =>
    overview.took(duration(stats.duration), byteSize(stats.checkpointedSize));
  return (
    <div className="checkpoint-overview">
      <dl className="checkpoint-counts" aria-label={overview.counts}>
        {(["triggered", "inProgress", "completed", "failed", "restored"] as const).map((name) => (
          <div key={name}>
            <dt>{overview[name]}</dt>
            <dd data-testid={`count-${name}`}>{counts[name === "triggered" ? "total" : name]}</dd>
          </div>
        ))}
      </dl>
      <dl className="fields">
        <Latest name={overview.latestCompleted} id={latestCompleted?.id ?? null} show={show}>
          {latestCompleted === null ? null : took(latestCompleted)}
        </Latest>
        <Latest name={overview.latestFailed} id={latestFailed?.id ?? null} show={show}>
          {failure === null ? null : stageText.reason(failure)}
        </Latest>
        <Latest name={overview.latestSavepoint} id={latestSavepoint?.id ?? null} show={show}>
          {latestSavepoint === null ? null : took(latestSavepoint)}
        </Latest>
        <Latest name={overview.latestRestore} id={latestRestore?.checkpoint ?? null} show={show}>
          {latestRestore === null ? null : overview.from(clockTime(latestRestore.at))}
        </Latest>
      </dl>
    </div>
  );
}

interface LatestProps {
  readonly name: string;
  readonly id: number | null;
  readonly show: (id: number) => void;
  readonly children: ReactNode;
}

function Latest({ name, id, show, children }: LatestProps): ReactElement {
  const { overview } = useCheckpointsText();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {id === null ? (
          overview.none
        ) : (
          <>
            <button type="button" className="link-button" onClick={() => show(id)}>
              {overview.checkpoint(id)}
            </button>{" "}
            {children}
          </>
        )}
      </dd>
    </>
  );
}
