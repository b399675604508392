/** The picture itself: painted on a canvas, worked by mouse, finger and key. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type WheelEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { at } from "../../base/assert.ts";
import { concernedBy } from "../../projection/causes.ts";
import { type Cut, type Verdict, repairCut } from "../../projection/global-cuts.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { factsOf } from "../facts.ts";
import { type BranchRun, appStore } from "../store.ts";
import { coloursOf, onColours } from "../theme.ts";
import { useApp } from "../use-app.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { type Axis, type Frame, type Stretch, lineAt, placeAt, pointOf, shifted, within, zoomed } from "./geometry.ts";
import { paint } from "./paint.ts";

interface DiagramProps {
  readonly branch: BranchRun;
  readonly space: SpaceTime;
  readonly places: Float64Array;
  readonly names: readonly string[];
  readonly axis: Axis;
  readonly stretch: Stretch;
  readonly setStretch: (stretch: Stretch) => void;
  readonly all: Stretch;
  readonly pointed: number | null;
  readonly setPointed: (step: number | null) => void;
  readonly cut: Cut | null;
  readonly setCut: (cut: Cut) => void;
  readonly verdict: Verdict | null;
  readonly step: number;
  readonly tellCrowded: (crowded: boolean) => void;
}

/** Narrower than this and time goes down. */
const NARROW = 620;
/** Height of a lifeline's row, and of the picture when time goes down. */
const ROW = 26;
const TALL = 640;
/** An event is pointed at from so far. */
const NEAR = 12;

export function Diagram(props: DiagramProps): ReactElement {
  const { space, names, axis, stretch, places, pointed, setPointed, cut, verdict, step, branch } = props;
  const words = useSpaceTimeText();
  const controller = useController();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const theme = useTheme();
  const lit = useApp((app) => (app.lit?.branch === branch.branch.id ? app.lit.steps : null));
  const selection = useApp((app) => app.selection);
  const vertical = width < NARROW;
  const lines = space.lifelines.length;
  const height = vertical ? TALL : lines * ROW + 26;
  const frame: Frame = { width, height, vertical, lines, stretch };
  const selected =
    selection?.kind === "subtask"
      ? names.indexOf(branch.run.jobs.at(step).graph.subtasks[selection.id]?.name ?? "")
      : -1;
  useEffect(() => {
    const node = host.current;
    if (node === null) return;
    const sizes = new ResizeObserver(() => setWidth(node.clientWidth));
    sizes.observe(node);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    const node = canvas.current;
    const context = node?.getContext("2d") ?? null;
    if (node === null || context === null || width === 0) return;
    const ratio = window.devicePixelRatio;
    node.width = width * ratio;
    node.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const checkpoints = factsOf(branch.run).timeline.checkpoints.map(({ id }) => id);
    const timed = axis === "time";
    const { log } = branch.run;
    const picture = { space, log, places, frame, names, theme, timed, step, pointed, lit, checkpoints, cut, verdict };
    props.tellCrowded(paint(context, { ...picture, selected: selected < 0 ? null : selected }));
  });
  const work = useGestures(props, frame);
  return (
    // The whole picture is one stop of the keyboard; what the focus is on is told below it.
    <div
      ref={host}
      className="space-time-picture"
      role="group"
      aria-roledescription={words.role}
      aria-label={words.described(lines)}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={(event) => work.key(event)}
      onPointerDown={(event) => work.down(event)}
      onPointerMove={(event) => work.move(event)}
      onPointerUp={(event) => {
        const hit = work.up(event);
        if (hit === null) return;
        controller.goTo(hit);
        selectOf(branch, hit);
      }}
      onPointerLeave={() => setPointed(null)}
      onWheel={(event) => work.wheel(event)}
    >
      <canvas ref={canvas} style={{ width, height }} aria-hidden />
    </div>
  );
}

/** What an entry is of is selected in every view. */
function selectOf({ run }: BranchRun, step: number): void {
  const concerned = concernedBy(run.log, step);
  const subtask = concerned.find(({ kind }) => kind === "subtask") ?? concerned[0];
  if (subtask !== undefined) select(subtask);
}

function useTheme(): ReturnType<typeof coloursOf> {
  const [theme, setTheme] = useState(() => coloursOf(appStore.getState().settings.theme));
  useEffect(() => onColours(setTheme), []);
  return theme;
}

interface Gestures {
  key(event: KeyboardEvent): void;
  down(event: PointerEvent): void;
  move(event: PointerEvent): void;
  /** The event that was clicked. */
  up(event: PointerEvent): number | null;
  wheel(event: WheelEvent): void;
}

function useGestures(props: DiagramProps, frame: Frame): Gestures {
  const { stretch, setStretch, all, setPointed, cut, setCut } = props;
  const controller = useController();
  const words = useSpaceTimeText();
  const drag = useRef<{ readonly x: number; readonly y: number; readonly stretch: Stretch; moved: boolean } | null>(
    null,
  );
  const [marker, setMarker] = useState(0);
  const local = (event: { clientX: number; clientY: number; currentTarget: Element }): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const draw = ([x, y]: readonly [number, number]): void => {
    if (cut === null) return;
    const line = lineAt(frame, frame.vertical ? x : y);
    setCut(cutTo(props, cut, line, placeAt(frame, frame.vertical ? y : x)));
  };
  return {
    down(event) {
      const [x, y] = local(event);
      drag.current = { x, y, stretch, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
      if (cut !== null) draw([x, y]);
    },
    move(event) {
      const [x, y] = local(event);
      const from = drag.current;
      if (from === null || (event.buttons & 1) === 0) {
        setPointed(nearest(props, frame, x, y));
        return;
      }
      if (Math.hypot(x - from.x, y - from.y) > 4) from.moved = true;
      if (cut !== null) draw([x, y]);
      else if (from.moved) {
        const by = frame.vertical
          ? placeAt(frame, from.y) - placeAt(frame, y)
          : placeAt(frame, from.x) - placeAt(frame, x);
        setStretch(shifted(from.stretch, by, all));
      }
    },
    up(event) {
      const from = drag.current;
      drag.current = null;
      if (from === null || from.moved || cut !== null) return null;
      return nearest(props, frame, ...local(event));
    },
    wheel(event) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const [x, y] = local(event);
      setStretch(zoomed(stretch, event.deltaY > 0 ? 1.25 : 0.8, placeAt(frame, frame.vertical ? y : x), all));
    },
    key(event) {
      const went = cut === null ? walk(props, frame, event.key) : undefined;
      if (went !== undefined) setPointed(went);
      else if (event.key === "Enter" && props.pointed !== null) controller.goTo(props.pointed);
      else if (cut !== null) {
        const moved = moveMarker(props, frame, cut, marker, event.key);
        if (moved === null) return;
        setMarker(moved.line);
        setCut(moved.cut);
        const behind = at(moved.cut, moved.line);
        const clock = behind < 0 ? null : props.branch.run.log.clock(behind);
        controller.announce({ says: "words", words: words.cut.marker(at(props.names, moved.line), clock) });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** The cut with one lifeline's place where somebody has drawn. */
function cutTo({ space, places }: DiagramProps, cut: Cut, line: number, place: number): Cut {
  const { events } = at(space.lifelines, line);
  const last = within(events, places, { from: -Infinity, to: place }).at(-1) ?? -1;
  return cut.map((step, each) => (each === line ? last : step));
}

function nearest({ space, places, stretch }: DiagramProps, frame: Frame, x: number, y: number): number | null {
  const line = lineAt(frame, frame.vertical ? x : y);
  let [best, distance] = [-1, NEAR];
  for (const step of within(at(space.lifelines, line).events, places, stretch)) {
    const [ex, ey] = pointOf(frame, places[step] as number, line);
    const away = Math.hypot(ex - x, ey - y);
    if (away < distance) [best, distance] = [step, away];
  }
  return best < 0 ? null : best;
}

/** Along is to the next event of the process, across to that of the next process which is nearest. */
function walk({ space, places, pointed, step }: DiagramProps, { vertical }: Frame, key: string): number | undefined {
  const keys = vertical
    ? (["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"] as const)
    : (["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"] as const);
  const which = keys.findIndex((each) => each === key);
  if (which < 0) return undefined;
  const from = pointed ?? step;
  const line = space.lineOf(from);
  if (which < 2) return at(space.lifelines, line).events[space.placeOf(from) + (which === 0 ? 1 : -1)] ?? from;
  for (
    let other = line + (which === 2 ? 1 : -1);
    other >= 0 && other < space.lifelines.length;
    other += which === 2 ? 1 : -1
  ) {
    const { events } = at(space.lifelines, other);
    if (events.length === 0) continue;
    const before = within(events, places, { from: -Infinity, to: places[from] as number });
    return before.at(-1) ?? at(events, 0);
  }
  return from;
}

function moveMarker(
  { space }: DiagramProps,
  { vertical }: Frame,
  cut: Cut,
  line: number,
  key: string,
): { readonly line: number; readonly cut: Cut } | null {
  if (key === "r" || key === "R") return { line, cut: repairCut(space, cut) };
  const [next, previous, on, back] = vertical
    ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]
    : ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"];
  if (key === next) return { line: Math.min(space.lifelines.length - 1, line + 1), cut };
  if (key === previous) return { line: Math.max(0, line - 1), cut };
  if (key !== on && key !== back) return null;
  const { events } = at(space.lifelines, line);
  const place = at(cut, line) < 0 ? -1 : space.placeOf(at(cut, line));
  const moved = events[Math.min(events.length - 1, place + (key === on ? 1 : -1))] ?? -1;
  return { line, cut: cut.map((step, each) => (each === line ? moved : step)) };
}
