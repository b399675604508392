import type { ReactElement } from "react";
import type { CheckpointStatistics, Measure } from "../../../projection/checkpoint-stats.ts";
import type { Statistics } from "../../../projection/stats-summary.ts";
import { byteSize, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";

/** Minimum, average, maximum and percentiles over all completed checkpoints (CP-214). */
export function Summary({
  statistics: { summary, counts },
}: {
  readonly statistics: CheckpointStatistics;
}): ReactElement {
  const words = useCheckpointsText().summary;
  if (counts.completed === 0) return <p className="empty">{words.none}</p>;
  const columns = Object.entries(words.columns) as [Measure, string][];
  const rows = Object.entries(words.rows) as [keyof Statistics, string][];
  // Percentiles lie between whole numbers.
  const shown = (measure: Measure, value: number): string =>
    measure === "duration" ? duration(Math.round(value * 100) / 100) : byteSize(Math.round(value * 100) / 100);
  return (
    <table className="table">
      <caption className="checkpoint-caption">{words.caption(counts.completed)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.statistic}</th>
          {columns.map(([measure, name]) => (
            <th key={measure} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([row, name]) => (
          <tr key={row}>
            <th scope="row">{name}</th>
            {columns.map(([measure]) => (
              <td key={measure}>{shown(measure, summary[measure][row])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
