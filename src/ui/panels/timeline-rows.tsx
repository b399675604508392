import { type ReactElement, type ReactNode, useContext, useEffect, useRef } from "react";
import type { CheckpointSpan, JobSpan } from "../../projection/timeline.ts";
import { jobLooks } from "../../view/machines/presentations.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { playhead } from "../playhead.ts";
import type { Session } from "../store.ts";
import { useText } from "../text/use-text.ts";
import { TARGET, TrackWidth, useTrackWidth } from "../track-width.ts";
import type { Placed, TimelineMarks, TransactionPlace } from "../timeline-marks.ts";
import { TimelineMoments } from "./timeline-moments.tsx";

interface TimelineProps {
  readonly session: Session;
  readonly marks: TimelineMarks;
}

export function TimelineRows({ session, marks, corner }: TimelineProps & { readonly corner: ReactNode }): ReactElement {
  const { timeline } = useText().panels;
  const place = (left: number): string => `${(left / marks.total) * 100}%`;
  const [track, rows] = useTrackWidth();
  return (
    <TrackWidth value={track}>
      <section ref={rows} className="timeline-rows" aria-label={timeline.caption}>
        <Row name={corner} className="timeline-axis">
          {marks.folds.map(({ simulated, from, to }) => (
            <i
              key={from}
              className="fold"
              style={{ left: place(from), width: place(to - from) }}
              title={timeline.folded(simulated)}
            />
          ))}
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
        <Row name={timeline.checkpoints}>
          {marks.checkpoints.map((placed) => (
            <CheckpointMark key={placed.of.id} placed={placed} total={marks.total} />
          ))}
        </Row>
        {marks.transactions.map(({ subtask, list }) => (
          <Row key={subtask} name={timeline.transactionsOf(subtask)}>
            {list.map((placed) => (
              <TransactionMark key={placed.of.fromStep} placed={placed} total={marks.total} />
            ))}
          </Row>
        ))}
        <Row name={timeline.faults}>
          <TimelineMoments session={session} marks={marks} />
        </Row>
        <Cursor total={marks.total} />
      </section>
    </TrackWidth>
  );
}

function Row({
  name,
  className,
  children,
}: {
  readonly name: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className={className === undefined ? "timeline-row" : `timeline-row ${className}`}>
      <span className="timeline-name">{name}</span>
      <div className="timeline-track">{children}</div>
    </div>
  );
}

interface SpanMarkProps {
  readonly className: string;
  readonly left: number;
  readonly right: number;
  readonly total: number;
  readonly label: string;
  readonly step: number;
  readonly element: StageElement | null;
  readonly epoch?: number;
  readonly children?: ReactNode;
}

/** Goes to where it begins and selects what it is. One too narrow to be hit is only a picture; the table has them all. */
function SpanMark({
  className,
  left,
  right,
  total,
  label,
  step,
  element,
  epoch,
  children,
}: SpanMarkProps): ReactElement {
  const controller = useController();
  const track = useContext(TrackWidth);
  const share = Math.max(0, right - left) / total;
  const style = { left: `${(left / total) * 100}%`, width: `${share * 100}%` };
  if (share * track < TARGET) {
    return (
      <span className={`span ${className}`} style={style} data-epoch={epoch} title={label}>
        {children}
      </span>
    );
  }
  const go = (): void => {
    controller.goTo(step);
    if (element !== null) select(element);
  };
  return (
    <button
      type="button"
      className={`span ${className}`}
      style={style}
      data-epoch={epoch}
      title={label}
      aria-label={label}
      onClick={go}
    >
      {children}
    </button>
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
    >
      <i className="span-edge" style={{ background: `var(--tone-${look.tone})` }} />
      <span className="span-label">{of.status}</span>
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
    >
      <span className="span-label">{of.id}</span>
    </SpanMark>
  );
}

interface TransactionMarkProps {
  readonly placed: TransactionPlace;
  readonly total: number;
}

function TransactionMark({ placed: { of, left, right, prepared, name }, total }: TransactionMarkProps): ReactElement {
  const { timeline } = useText().panels;
  const label = timeline.transaction(
    name,
    of.status,
    clockTime(of.from),
    of.to < 0 ? timeline.running : clockTime(of.to),
  );
  const open = prepared === null ? 1 : (prepared - left) / Math.max(1, right - left);
  return (
    <SpanMark
      className={`transaction ${of.status.replace(" ", "-")}`}
      left={left}
      right={right}
      total={total}
      label={label}
      step={of.fromStep}
      element={{ kind: "transaction", id: of.number }}
    >
      {prepared === null ? null : <i className="span-part prepared" style={{ left: `${open * 100}%`, right: 0 }} />}
      <span className="span-label">
        {timeline.glyphs[of.status]} {timeline.forCheckpoint(of.checkpoint)}
      </span>
    </SpanMark>
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
