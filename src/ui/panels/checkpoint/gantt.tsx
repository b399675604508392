/**
 * A checkpoint in simulated time: a row for each subtask, stragglers first, and over all of them the moments of the
 * coordinator and the store. A bar leads to its beginning; one too narrow to be hit is only a picture, and the table of
 * metrics below leads there too.
 */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointStats } from "../../../projection/checkpoint-stats.ts";
import {
  type Bar,
  type CheckpointTimeline,
  type Instant,
  type TimelineRow,
  barKinds,
} from "../../../projection/checkpoint-timeline.ts";
import { useController } from "../../controller-context.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { clockTime, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { TARGET, useTrackWidth } from "../../track-width.ts";
import type { Moment } from "../../use-view.ts";

interface GanttProps {
  readonly timeline: CheckpointTimeline;
  readonly stats: CheckpointStats;
  readonly moment: Moment;
  /** Keeps this checkpoint in view when the cursor moves. */
  readonly pin: () => void;
}

/** Where a clock is on the tracks, from 0 to 1. */
type Place = (clock: number) => number;

export function Gantt({ timeline, stats, moment, pin }: GanttProps): ReactElement {
  const words = useCheckpointsText().time;
  const [track, rows] = useTrackWidth();
  const { triggered, end } = timeline;
  const span = Math.max(1, end - triggered.clock);
  const place: Place = (clock) => (clock - triggered.clock) / span;
  const cursor = place(moment.view.clock);
  return (
    <section ref={rows} className="gantt" aria-label={words.caption(stats.id)}>
      <Axis timeline={timeline} place={place} span={span} />
      <div className="gantt-rows">
        {timeline.rows.map((row) => (
          <Row
            key={row.subtask}
            row={row}
            name={at(moment.graph.subtasks, row.subtask).name}
            place={place}
            track={track}
            pin={pin}
          />
        ))}
        <div className="gantt-lines" aria-hidden>
          {moments(timeline).map(([what, instant]) => (
            <i key={what} className={`gantt-line ${what}`} style={{ left: percent(place(instant.clock)) }} />
          ))}
          {cursor >= 0 && cursor <= 1 ? <i className="gantt-cursor" style={{ left: percent(cursor) }} /> : null}
        </div>
      </div>
      <Legend />
    </section>
  );
}

const percent = (share: number): string => `${share * 100}%`;

type MomentName = "triggered" | "metadata" | "completed" | "aborted";

function moments(timeline: CheckpointTimeline): [MomentName, Instant][] {
  const names = ["triggered", "metadata", "completed", "aborted"] as const;
  return names.flatMap((name) => {
    const instant = timeline[name];
    return instant === null ? [] : [[name, instant] satisfies [MomentName, Instant]];
  });
}

/** Milliseconds since the trigger. */
function Axis({
  timeline: { triggered },
  place,
  span,
}: {
  readonly timeline: CheckpointTimeline;
  readonly place: Place;
  readonly span: number;
}): ReactElement {
  const rough = span / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const apart = Math.max(1, [1, 2, 5, 10].map((each) => each * unit).find((each) => each >= rough) ?? rough);
  const ticks = Array.from({ length: Math.floor((span * 0.94) / apart) + 1 }, (_, i) => i * apart);
  return (
    <div className="timeline-row timeline-axis" aria-hidden>
      <span className="timeline-name" />
      <div className="timeline-track">
        {ticks.map((since) => (
          <span key={since} className="tick" style={{ left: percent(place(triggered.clock + since)) }}>
            {since === 0 ? clockTime(triggered.clock) : `+${duration(since)}`}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TimelineRow;
  readonly name: string;
  readonly place: Place;
  readonly track: number;
  readonly pin: () => void;
}

function Row({ row, name, place, track, pin }: RowProps): ReactElement {
  const words = useCheckpointsText().time;
  const { acknowledged, refused, notified, finished } = row;
  const marks = [
    ["acknowledged", acknowledged],
    ["refused", refused],
    ["notified", notified],
  ] as const;
  return (
    <div className={isUnaligned(row) ? "timeline-row two-lanes" : "timeline-row"} data-subtask={name}>
      <span className="timeline-name">
        <ElementLink element={{ kind: "subtask", id: row.subtask }} name={name} />
      </span>
      <div className="timeline-track">
        {row.bars.map((bar) => (
          <BarMark key={bar.kind} bar={bar} name={name} place={place} track={track} pin={pin} />
        ))}
        {marks.map(([what, instant]) =>
          instant === null || finished ? null : (
            <i
              key={what}
              className={`gantt-mark ${what}`}
              style={{ left: percent(place(instant.clock)) }}
              title={`${name}: ${words[what]} ${clockTime(instant.clock)}`}
            />
          ),
        )}
        {finished ? <span className="gantt-note">{words.finished}</span> : null}
      </div>
    </div>
  );
}

/** An unaligned snapshot is taken and written while barriers are still missing: the two stand below one another. */
function isUnaligned({ bars }: TimelineRow): boolean {
  const of = (kind: Bar["kind"]): Bar | undefined => bars.find((bar) => bar.kind === kind);
  const snapshot = of("sync") ?? of("async");
  return snapshot !== undefined && (of("alignment")?.to ?? 0) > snapshot.from;
}

interface BarMarkProps extends Omit<RowProps, "row"> {
  readonly bar: Bar;
}

function BarMark({ bar, name, place, track, pin }: BarMarkProps): ReactElement | null {
  const words = useCheckpointsText().time;
  const controller = useController();
  const { kind, from, to } = bar;
  const share = place(to) - place(from);
  const took = duration(to - from);
  const label = words.bar(name, words.bars[kind], clockTime(from), clockTime(to), took);
  const style = { left: percent(place(from)), width: percent(share) };
  if (to === from && kind !== "async") return null;
  if (share * track < TARGET) return <span className={`gantt-bar ${kind}`} style={style} title={label} />;
  const go = (): void => {
    pin();
    controller.goTo(bar.step);
  };
  return (
    <button type="button" className={`gantt-bar ${kind}`} style={style} title={label} aria-label={label} onClick={go}>
      {share * track > ROOM ? <span className="gantt-label">{`${words.bars[kind]} ${took}`}</span> : null}
    </button>
  );
}

/** Pixels that a bar's own words need. */
const ROOM = 120;

function Legend(): ReactElement {
  const words = useCheckpointsText().time;
  return (
    <ul className="gantt-legend" aria-label={words.legend}>
      {barKinds.map((kind) => (
        <li key={kind}>
          <i className={`gantt-bar ${kind}`} aria-hidden />
          {words.bars[kind]}
        </li>
      ))}
      {(["acknowledged", "refused", "notified"] as const).map((what) => (
        <li key={what}>
          <i className={`gantt-mark ${what}`} aria-hidden />
          {words[what]}
        </li>
      ))}
      {(["metadata", "completed", "aborted"] as const).map((what) => (
        <li key={what}>
          <i className={`gantt-line ${what}`} aria-hidden />
          {words.instants[what]}
        </li>
      ))}
      <li>{words.whole}</li>
    </ul>
  );
}
