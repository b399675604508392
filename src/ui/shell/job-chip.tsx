/** The job's name and its status at the cursor. */
import type { ReactElement } from "react";
import { jobLooks } from "../../view/machines/presentations.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useMoment } from "../use-view.ts";
import { StateChip } from "../controls/state-chip.tsx";

export function JobChip(): ReactElement | null {
  const { header } = useText();
  const name = useApp((app) => app.session?.scenario.job.name);
  const moment = useMoment();
  if (name === undefined || moment === null) return null;
  return (
    <div className="job-chip">
      <span className="visually-hidden">{header.job}</span>
      <span className="job-name">{name}</span>
      <StateChip look={jobLooks[moment.view.job.status]} />
    </div>
  );
}
