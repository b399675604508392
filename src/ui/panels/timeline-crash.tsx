/** The row that begins the dragging of a failure; what that needs is fetched then. */
import { type ReactElement, Suspense, lazy } from "react";
import { changeSettings } from "../app-actions.ts";
import { type Session, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { Row } from "./timeline-span.tsx";

const CrashRows = lazy(() => import("../crash/crash-rows.tsx"));

export function TimelineCrash({
  session,
  marks,
}: {
  readonly session: Session;
  readonly marks: TimelineMarks;
}): ReactElement {
  const { timeline } = useText().panels;
  const branch = useApp(branchOf);
  const open = useApp((app) => app.settings.outcomeStrip);
  const toggle = (
    <button
      type="button"
      className="link-button row-toggle"
      aria-expanded={open}
      onClick={() => changeSettings({ outcomeStrip: !open })}
    >
      {timeline.crash}
    </button>
  );
  const row = <Row name={toggle}>{open ? null : <span className="row-hint">{timeline.crashHint}</span>}</Row>;
  if (!open || branch === null) return row;
  return (
    <Suspense fallback={row}>
      <CrashRows session={session} branch={branch} marks={marks} toggle={toggle} />
    </Suspense>
  );
}
