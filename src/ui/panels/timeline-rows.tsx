import { ZoomIn, ZoomOut } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { CheckpointSpan, JobSpan } from "../../projection/timeline.ts";
import { jobLooks } from "../../view/machines/presentations.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { dense } from "../dense.ts";
import { clockTime } from "../format.ts";
import { playhead } from "../playhead.ts";
import { FoldMarks } from "../shell/fold-marks.tsx";
import type { BranchRun, Session } from "../store.ts";
import { useText } from "../text/use-text.ts";
import { TrackWidth, useTrackWidth } from "../track-width.ts";
import type { Placed, TimelineMarks } from "../timeline-marks.ts";
import { TimelineCrash } from "./timeline-crash.tsx";
import { TimelineMoments } from "./timeline-moments.tsx";
import { Row, SpanMark } from "./timeline-span.tsx";
import { SubtaskRows } from "./timeline-subtasks.tsx";
import { TransactionRows } from "./timeline-transactions.tsx";
import { useZoom } from "./use-zoom.ts";
import { windowsAt } from "./windows-at.ts";
import { Windows } from "../windows/windows-button.tsx";

interface TimelineProps {
  readonly session: Session;
  readonly marks: TimelineMarks;
}

interface TimelineRowsProps extends TimelineProps {
  readonly corner: ReactNode;
  /** Name of the checkpoints' row. */
  readonly checkpoints: ReactNode;
  /** Whose checkpoints are shown by subtask; `null`: they are not. */
  readonly parts: BranchRun | null;
}

export function TimelineRows(props: TimelineRowsProps): ReactElement {
  const { total } = props.marks;
  const { timeline } = useText().panels;
  const { room, by, zoom } = useZoom(total);
  return (
    <div className="timeline">
      <div className="timeline-zoom">
        <IconButton label={timeline.zoomOut} shortcut="-" disabled={by <= 1} onClick={() => zoom("out")}>
          <ZoomOut aria-hidden />
        </IconButton>
        <IconButton label={timeline.zoomIn} shortcut="+" onClick={() => zoom("in")}>
          <ZoomIn aria-hidden />
        </IconButton>
      </div>
      <div ref={room} className="timeline-room">
        <div style={{ width: `${by * 100}%` }}>
          <Rows {...props} />
        </div>
      </div>
    </div>
  );
}

function Rows({ session, marks, corner, checkpoints, parts }: TimelineRowsProps): ReactElement {
  const [gap, setGap] = useState<number | null>(null);
  const openGap = (share: number): void => setGap(windowsAt(marks, share * marks.total));
  const { timeline } = useText().panels;
  const place = (left: number): string => `${(left / marks.total) * 100}%`;
  const [track, rows] = useTrackWidth();
  return (
    <TrackWidth value={track}>
      <section ref={rows} className="timeline-rows" aria-label={timeline.caption}>
        <Row name={corner} className="timeline-axis">
          <FoldMarks folds={marks.folds} total={marks.total} width={track} />
          {marks.ticks.map(({ clock, left }) => (
            <span key={clock} className="tick" style={{ left: place(left) }}>
              {clock / 1000} s
            </span>
          ))}
        </Row>
        <Row name={timeline.job}>
          {marks.job.map((placed) => (
            <JobSpanMark key={placed.of.fromStep} placed={placed} total={marks.total} />
          ))}
        </Row>
        <Row name={checkpoints} onGap={openGap}>
          <CheckpointMarks marks={marks} />
        </Row>
        {parts === null ? null : <SubtaskRows branch={parts} total={marks.total} />}
        <TransactionRows marks={marks} onGap={openGap} />
        <Row name={timeline.faults}>
          <TimelineMoments session={session} marks={marks} />
        </Row>
        <TimelineCrash session={session} marks={marks} />
        <Cursor total={marks.total} />
        {gap === null ? null : <Windows step={gap} close={() => setGap(null)} />}
      </section>
    </TrackWidth>
  );
}

/** Those that would lie on one another are one mark. */
function CheckpointMarks({ marks }: { readonly marks: TimelineMarks }): ReactElement {
  const { timeline } = useText().panels;
  const placed = useMemo(() => dense(marks.checkpoints, marks.total, ({ of }) => of.status), [marks]);
  return (
    <>
      {placed.map(({ marks: [first, ...more], left, right }) =>
        first === undefined ? null : more.length === 0 ? (
          <CheckpointMark key={first.of.id} placed={first} total={marks.total} />
        ) : (
          <SpanMark
            key={first.of.id}
            className={`checkpoint many ${first.of.status === "aborted" ? "failed" : first.of.status}`}
            left={left}
            right={right}
            total={marks.total}
            label={timeline.checkpointsOf(first.of.id, more.length + 1, first.of.status, clockTime(first.of.from))}
            step={first.of.fromStep}
            element={null}
          />
        ),
      )}
    </>
  );
}

function JobSpanMark({
  placed: { of, left, right },
  total,
}: {
  readonly placed: Placed<JobSpan>;
  readonly total: number;
}): ReactElement {
  const { timeline } = useText().panels;
  const look = jobLooks[of.status];
  const label = timeline.jobSpan(of.status, clockTime(of.from), of.to < 0 ? timeline.running : clockTime(of.to));
  return (
    <SpanMark
      className="job"
      left={left}
      right={right}
      total={total}
      label={label}
      step={of.fromStep}
      element={{ kind: "jobManager", id: 0 }}
      says={of.status}
    >
      <i className="span-edge" style={{ background: `var(--tone-${look.tone})` }} />
    </SpanMark>
  );
}

function CheckpointMark({
  placed: { of, left, right },
  total,
}: {
  readonly placed: Placed<CheckpointSpan>;
  readonly total: number;
}): ReactElement {
  const { timeline } = useText().panels;
  const status = of.status === "aborted" ? "failed" : of.status;
  const label = timeline.checkpoint(of.id, status, clockTime(of.from), of.to < 0 ? timeline.running : clockTime(of.to));
  return (
    <SpanMark
      className={`checkpoint ${status}`}
      epoch={of.id & 3}
      left={left}
      right={right}
      total={total}
      label={label}
      step={of.fromStep}
      element={{ kind: "checkpoint", id: of.id }}
      windows
      says={of.id}
    />
  );
}

/** Follows the playhead past React. */
function Cursor({ total }: { readonly total: number }): ReactElement {
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    const follow = (): void => {
      if (line.current !== null) line.current.style.left = `${(playhead.getState().presentation / total) * 100}%`;
    };
    follow();
    return playhead.subscribe(follow);
  }, [total]);
  return (
    <div className="timeline-cursor" aria-hidden>
      <i ref={line} />
    </div>
  );
}
