/** The whole branch at a glance: job, checkpoints, transactions, faults and forks, with the cursor over all rows. */
import { type ReactElement, useMemo, useState } from "react";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { timelineMarks } from "../timeline-marks.ts";
import { TimelineRows } from "./timeline-rows.tsx";
import { TimelineTable } from "./timeline-table.tsx";

export default function Timeline(): ReactElement | null {
  const { timeline } = useText().panels;
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  const [asTable, setAsTable] = useState(false);
  const [subtasks, setSubtasks] = useState(false);
  const marks = useMemo(
    () => (session === null || branch === null ? null : timelineMarks(branch, session.branches)),
    [session, branch],
  );
  if (session === null || branch === null || marks === null) return null;
  const toggle = (
    <button type="button" className="link-button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
      {asTable ? timeline.asPicture : timeline.asTable}
    </button>
  );
  const expand = (
    <button
      type="button"
      className="link-button row-toggle"
      aria-expanded={subtasks}
      title={timeline.bySubtask}
      onClick={() => setSubtasks(!subtasks)}
    >
      {asTable ? timeline.bySubtask : timeline.checkpoints}
    </button>
  );
  const parts = subtasks ? branch : null;
  return asTable ? (
    <div className="timeline">
      <div className="panel-bar">
        {toggle} {expand}
      </div>
      <TimelineTable session={session} marks={marks} parts={parts} />
    </div>
  ) : (
    <TimelineRows session={session} marks={marks} corner={toggle} checkpoints={expand} parts={parts} />
  );
}
