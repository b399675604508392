/** The picture itself: painted on a canvas; what can be done on it is `gestures.ts`. */
import { type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { at } from "../../base/assert.ts";
import { concernedBy } from "../../projection/entry-elements.ts";
import type { Verdict } from "../../projection/global-cuts.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import type { Run } from "../run.ts";
import { type BranchRun } from "../store.ts";
import { coloursNow, onColours } from "../theme.ts";
import { useApp } from "../use-app.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import type { Frame } from "./geometry.ts";
import type { Axis } from "./places.ts";
import { Gestures, type View } from "./gestures.ts";
import { paint } from "./paint.ts";

interface DiagramProps extends Omit<View, "frame" | "go" | "tellMarker"> {
  readonly branch: BranchRun;
  readonly names: readonly string[];
  readonly axis: Axis;
  readonly verdict: Verdict | null;
  readonly tellCrowded: (crowded: boolean) => void;
}

/** Narrower than this and time goes down. */
const NARROW = 620;
/** Height of a lifeline's row, and of the picture when time goes down. */
const ROW = 26;
const TALL = 640;

export function Diagram(props: DiagramProps): ReactElement {
  const words = useSpaceTimeText();
  const host = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(host);
  const lines = props.space.lifelines.length;
  const vertical = width < NARROW;
  const height = vertical ? TALL : lines * ROW + 26;
  const frame: Frame = { width, height, vertical, lines, stretch: props.stretch };
  usePaint(props, frame, canvas);
  useGestures(props, frame, host);
  return (
    <section
      ref={host}
      className="space-time-picture"
      aria-roledescription={words.role}
      aria-label={words.described(lines)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one stop of the keyboard; arrow keys go on from it
      tabIndex={0}
    >
      <canvas ref={canvas} style={{ width, height }} aria-hidden />
    </section>
  );
}

function useWidth(host: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const node = host.current;
    if (node === null) return;
    const sizes = new ResizeObserver(() => setWidth(node.clientWidth));
    sizes.observe(node);
    return () => sizes.disconnect();
  }, [host]);
  return width;
}

function useTheme(): ReturnType<typeof coloursNow> {
  const [theme, setTheme] = useState(coloursNow);
  useEffect(() => onColours(setTheme), []);
  return theme;
}

function usePaint(props: DiagramProps, frame: Frame, canvas: RefObject<HTMLCanvasElement | null>): void {
  const { space, places, names, axis, step, pointed, cut, verdict, branch, barriers } = props;
  const theme = useTheme();
  const lit = useApp((app) => (app.lit?.branch === branch.branch.id ? app.lit.steps : null));
  const selection = useApp((app) => app.selection);
  const subtask =
    selection?.kind === "subtask" ? branch.run.jobs.at(step).graph.subtasks[selection.id]?.name : undefined;
  useEffect(() => {
    const context = sized(canvas.current, frame);
    if (context === null) return;
    const selected = subtask === undefined ? null : names.indexOf(subtask);
    const { log } = branch.run;
    const shown = { space, log, places, frame, names, theme, timed: axis === "time", step, pointed, lit };
    props.tellCrowded(paint(context, { ...shown, barriers, cut, verdict, selected }));
  });
}

function sized(node: HTMLCanvasElement | null, { width, height }: Frame): CanvasRenderingContext2D | null {
  const context = node?.getContext("2d") ?? null;
  if (node === null || context === null || width === 0) return null;
  const ratio = window.devicePixelRatio;
  node.width = width * ratio;
  node.height = height * ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function useGestures(props: DiagramProps, frame: Frame, host: RefObject<HTMLElement | null>): void {
  const controller = useController();
  const words = useSpaceTimeText();
  const gestures = useRef<Gestures | null>(null);
  const { run } = props.branch;
  useEffect(() => {
    gestures.current ??= new Gestures();
    gestures.current.view = {
      ...props,
      frame,
      go(step) {
        controller.goTo(step);
        selectOf(run, step);
      },
      tellMarker(line, behind) {
        const clock = behind < 0 ? null : run.log.clock(behind);
        controller.announce({ says: "words", words: words.cut.marker(at(props.names, line), clock) });
      },
    };
  });
  useEffect(() => (host.current === null ? undefined : gestures.current?.listen(host.current)), [host]);
}

/** What an entry is of is selected in every view. */
function selectOf({ log }: Run, step: number): void {
  const concerned = concernedBy(log, step);
  const subtask = concerned.find(({ kind }) => kind === "subtask") ?? concerned[0];
  if (subtask !== undefined) select(subtask);
}
