/** The row that begins the dragging of a failure; what that needs is fetched then. */
import type { ReactElement } from "react";
import { later } from "../later.tsx";
import { changeSettings } from "../app-actions.ts";
import { type Session, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { Row } from "./timeline-span.tsx";

const CrashRows = later(() => import("../crash/crash-rows.tsx"), {
  meanwhile: ({ toggle }) => <Row name={toggle}>{null}</Row>,
});

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
  if (open && branch !== null) return <CrashRows session={session} branch={branch} marks={marks} toggle={toggle} />;
  return <Row name={toggle}>{open ? null : <span className="row-hint">{timeline.crashHint}</span>}</Row>;
}
