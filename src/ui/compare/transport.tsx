/** One transport for all runs; its track shows where in time the checkpoints of each run lie. */
import { ChevronFirst, ChevronLast, Flag, Pause, Play, RotateCcw } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { CheckpointSpan } from "../../projection/timeline.ts";
import { Choice } from "../controls/choice.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { useCompareText } from "../text/compare-text.ts";
import { type Cursor, clockOf, endOf, momentIn } from "./cursor.ts";
import { shortNameOf } from "./names.ts";
import { type ComparedRun, along } from "./runs.ts";
import { type SideBySide, paces, togethers } from "./side-by-side.ts";

interface TransportProps {
  readonly side: SideBySide;
  readonly runs: readonly ComparedRun[];
  readonly toCheckpoint: (direction: 1 | -1) => void;
  /** The first step at which two runs are not the same; `null`: there is none, or they are not two. */
  readonly divergence: number | null;
}

export function Transport({ side, runs, toCheckpoint, divergence }: TransportProps): ReactElement {
  const words = useCompareText();
  return (
    <section className="compare-transport" aria-label={words.transport}>
      <div className="compare-controls">
        <div className="compare-steps">
          <Buttons side={side} runs={runs} toCheckpoint={toCheckpoint} />
          <Together side={side} />
        </div>
        <Position side={side} />
        <PaceSelect side={side} />
      </div>
      <Lanes side={side} runs={runs} divergence={divergence} />
    </section>
  );
}

function Buttons({ side, runs, toCheckpoint }: Omit<TransportProps, "divergence">): ReactElement {
  const words = useCompareText();
  const { cursor, playing } = useStore(side.told);
  const ready = runs.some(({ length }) => length > 0);
  const lanes = runs.flatMap(along);
  const atEnd = !playing && ready && clockOf(lanes, cursor) >= endOf(lanes);
  const Icon = playing ? Pause : atEnd ? RotateCcw : Play;
  return (
    <div className="compare-buttons">
      <IconButton
        label={words.back}
        shortcut="Shift+N"
        className="double"
        disabled={!ready}
        onClick={() => toCheckpoint(-1)}
      >
        <ChevronFirst className="tiny" aria-hidden />
        <Flag aria-hidden />
      </IconButton>
      <IconButton
        label={playing ? words.pause : atEnd ? words.replay : words.play}
        shortcut="Space"
        className="play"
        disabled={!ready}
        onClick={() => side.toggle()}
      >
        <Icon aria-hidden />
      </IconButton>
      <IconButton label={words.next} shortcut="N" className="double" disabled={!ready} onClick={() => toCheckpoint(1)}>
        <Flag aria-hidden />
        <ChevronLast className="tiny" aria-hidden />
      </IconButton>
    </div>
  );
}

function Position({ side }: { readonly side: SideBySide }): ReactElement {
  const words = useCompareText();
  const cursor = useStore(side.told, (told) => told.cursor);
  return (
    <p className="compare-position">
      <span className="position-time">{clockTime(Math.floor(clockOf(side.along(), cursor)))}</span>
      <span className="muted">{placeInWords(cursor, words)}</span>
    </p>
  );
}

function placeInWords(cursor: Cursor, words: ReturnType<typeof useCompareText>): string {
  switch (cursor.by) {
    case "time":
      return words.byTime;
    case "event":
      return words.byEvent(cursor.step);
    case "checkpoint":
      return words.byCheckpoint(cursor.nth);
    case "phase":
      return words.byPhase(cursor.checkpoint, cursor.name);
  }
}

/** What all runs have in common while they are stepped through. */
function Together({ side }: { readonly side: SideBySide }): ReactElement {
  const words = useCompareText();
  const together = useStore(side.told, (told) => told.together);
  return (
    <Choice
      label={words.together}
      quiet
      value={together}
      choose={(value) => side.setTogether(togethers.find((each) => each === value) ?? "time")}
    >
      {togethers.map((each) => (
        <option key={each} value={each}>
          {words.togetherBy[each]}
        </option>
      ))}
    </Choice>
  );
}

function PaceSelect({ side }: { readonly side: SideBySide }): ReactElement {
  const words = useCompareText();
  const pace = useStore(side.told, (told) => told.pace);
  return (
    <label className="select">
      <span className="compare-pace">{words.pace}</span>
      <select
        value={String(pace)}
        onChange={({ currentTarget }) =>
          side.setPace(paces.find((candidate) => String(candidate) === currentTarget.value) ?? pace)
        }
      >
        {paces.map((candidate) => (
          <option key={candidate} value={String(candidate)}>
            {words.paces(candidate)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Lanes({ side, runs, divergence }: Omit<TransportProps, "toCheckpoint">): ReactElement {
  const words = useCompareText();
  const end = Math.max(1, endOf(runs.flatMap(along)));
  return (
    <div className="compare-lanes">
      {runs.map((compared) => (
        <div key={compared.id} className="compare-lane">
          <span className="compare-lane-name" title={shortNameOf(compared, words)}>
            {shortNameOf(compared, words)}
          </span>
          <Lane side={side} compared={compared} end={end} divergence={divergence} />
        </div>
      ))}
      <Axis end={end} />
      <Slider side={side} end={end} />
    </div>
  );
}

interface LaneProps {
  readonly side: SideBySide;
  readonly compared: ComparedRun;
  readonly end: number;
  readonly divergence: number | null;
}

function Lane({ side, compared, end, divergence }: LaneProps): ReactElement {
  const words = useCompareText();
  const { run, length, report } = compared;
  const place = (clock: number): string => `${(clock / end) * 100}%`;
  if (run === null || length === 0) return <div className="compare-track" />;
  const { checkpoints, faults } = factsOf(run).timeline;
  const last = run.log.clock(length - 1);
  return (
    <div className="compare-track">
      <i className="compare-extent" style={{ width: place(last) }} title={words.ends(clockTime(last))} />
      <ol aria-label={words.lane(shortNameOf(compared, words))}>
        {checkpoints.map((span) => (
          <Checkpoint key={span.id} span={span} last={last} place={place} />
        ))}
      </ol>
      {divergence === null || divergence >= length ? null : (
        <i
          className="compare-divergence"
          style={{ left: place(run.log.clock(divergence)) }}
          title={words.divergesAt(clockTime(run.log.clock(divergence)))}
        />
      )}
      {faults.map(({ step, clock }) => (
        <i
          key={step}
          className="compare-failure"
          style={{ left: place(clock) }}
          title={words.failure(clockTime(clock))}
        />
      ))}
      {report === null ? null : <LaneCursor side={side} compared={compared} end={end} />}
    </div>
  );
}

interface CheckpointProps {
  readonly span: CheckpointSpan;
  readonly last: number;
  readonly place: (clock: number) => string;
}

function Checkpoint({ span: { id, from, to, status }, last, place }: CheckpointProps): ReactElement {
  const words = useCompareText();
  const until = to < 0 ? last : to;
  const told = words.checkpoint(id, from, to < 0 ? null : to, status === "aborted");
  return (
    <li
      className={`span checkpoint compare-span ${status === "aborted" ? "failed" : status}`}
      data-epoch={id & 3}
      style={{ left: place(from), width: place(until - from) }}
      title={told}
    >
      <span aria-hidden className="compare-span-id">
        {id}
      </span>
      <span className="visually-hidden">{told}</span>
    </li>
  );
}

/** Where this run stands: by checkpoint each stands at another time. */
function LaneCursor({ side, compared, end }: Omit<LaneProps, "divergence">): ReactElement {
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    const follow = (): void => {
      const [run] = along(compared);
      const moment = run === undefined ? null : momentIn(run, side.cursor.getState());
      if (line.current === null || moment === null) return;
      line.current.style.left = `${(Math.min(moment.clock, end) / end) * 100}%`;
    };
    follow();
    return side.cursor.subscribe(follow);
  }, [side, compared, end]);
  return <i ref={line} className="compare-cursor" />;
}

const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 300_000, 3_600_000];
const TICKS_MAX = 8;

function Axis({ end }: { readonly end: number }): ReactElement {
  const every = STEPS.find((step) => end / step <= TICKS_MAX) ?? end;
  const ticks = Array.from({ length: Math.floor(end / every) + 1 }, (_, index) => index * every);
  return (
    <div className="compare-lane compare-axis" aria-hidden>
      <span />
      <div className="compare-track">
        {ticks.map((clock) => (
          <span key={clock} className="tick" style={{ left: `${(clock / end) * 100}%` }}>
            {clock / 1000} s
          </span>
        ))}
      </div>
    </div>
  );
}

/** It lies over the lanes: they are its track. */
function Slider({ side, end }: { readonly side: SideBySide; readonly end: number }): ReactElement {
  const words = useCompareText();
  const slider = useRef<HTMLInputElement>(null);
  const cursor = useStore(side.told, (told) => told.cursor);
  useEffect(() => {
    const follow = (): void => {
      if (slider.current !== null) slider.current.value = String(clockOf(side.along(), side.cursor.getState()));
    };
    follow();
    return side.cursor.subscribe(follow);
  }, [side, end]);
  const keys = ({ key, altKey, ctrlKey, metaKey, shiftKey, ...event }: KeyboardEvent): void => {
    const direction =
      key === "ArrowRight" || key === "ArrowUp" ? 1 : key === "ArrowLeft" || key === "ArrowDown" ? -1 : 0;
    if (direction === 0 || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    side.step(direction);
  };
  return (
    <input
      ref={slider}
      className="compare-slider"
      type="range"
      min={0}
      max={end}
      step="any"
      defaultValue={0}
      aria-label={words.position}
      aria-valuetext={words.positionValue(Math.floor(clockOf(side.along(), cursor)), end)}
      onChange={({ currentTarget }) => side.seek(Number(currentTarget.value))}
      onKeyDown={keys}
    />
  );
}
