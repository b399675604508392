/** One picture of two runs: halves of what differs, a slider between them, and in words all that differs. */
import { type ReactElement, useEffect, useRef, useState } from "react";
import { at } from "../../base/assert.ts";
import type { Side } from "../../projection/run-diff.ts";
import { BothStage, type DifferingElement } from "../../view/stage/both/both-stage.ts";
import { type StageElement, sameElement } from "../../view/stage/elements.ts";
import type { Frame } from "../../view/stage/frame-types.ts";
import { isStill } from "../player.ts";
import { StageDrive } from "../stage-drive.ts";
import { useCompareText } from "../text/compare-text.ts";
import { enCompare } from "../text/en-compare.ts";
import { currentStageText } from "../text/stage-text.ts";
import { coloursNow, onColours } from "../theme.ts";
import { Now } from "./columns.tsx";
import { nameOfRun } from "./names.ts";
import { rooms } from "./picture.tsx";
import type { ComparedRun } from "./runs.ts";
import { SideMark } from "./side-mark.tsx";
import type { SideBySide } from "./side-by-side.ts";
import type { Pair } from "./two.ts";

interface BothPictureProps {
  readonly side: SideBySide;
  readonly runs: readonly ComparedRun[];
  readonly pair: Pair;
  /** Looks at them side by side instead. */
  readonly apart: () => void;
}

/** Steps of the slider; half and half is in the middle. */
const STEPS = 20;

export function BothPicture({ side, runs, pair, apart }: BothPictureProps): ReactElement {
  const words = useCompareText();
  const { both } = words;
  const [share, setShare] = useState(STEPS / 2);
  const [differs, setDiffers] = useState<readonly DifferingElement[] | null>([]);
  const [selected, setSelected] = useState<StageElement | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<BothStage | null>(null);
  const [a, b] = pair;
  useEffect(() => {
    if (host.current === null) return undefined;
    const mounted = mount(host.current, side, [a, b], { onDiffers: setDiffers, onSelect: setSelected });
    stage.current = mounted.stage;
    return mounted.stop;
  }, [side, a, b]);
  useEffect(() => stage.current?.blend(share / STEPS), [share, a, b]);
  useEffect(() => stage.current?.select(selected), [selected]);
  return (
    <section className="compare-both" aria-label={both.title}>
      {differs === null ? (
        <OtherJobs apart={apart} />
      ) : (
        <Blend names={pair.map((place) => nameAt(runs, place, words))} share={share} setShare={setShare} />
      )}
      <div ref={host} className="compare-picture" hidden={differs === null} />
      <Nows side={side} runs={runs} pair={pair} />
      {differs === null ? null : (
        <Differing
          differs={differs}
          selected={selected}
          show={(element) => {
            setSelected(element);
            stage.current?.focus(element);
          }}
        />
      )}
    </section>
  );
}

/** There is nothing to halve, so nothing to blend and no list either. */
function OtherJobs({ apart }: Pick<BothPictureProps, "apart">): ReactElement {
  const { both } = useCompareText();
  return (
    <p className="compare-apart">
      {both.otherJobs}{" "}
      <button type="button" className="button small" onClick={apart}>
        {both.apart}
      </button>
    </p>
  );
}

function nameAt(runs: readonly ComparedRun[], place: number, words: typeof enCompare): string {
  const compared = runs[place];
  return compared === undefined ? "" : nameOfRun(compared, words);
}

interface BlendProps {
  readonly names: readonly string[];
  readonly share: number;
  readonly setShare: (share: number) => void;
}

/** How much of each half is B's. */
function Blend({ names: [a, b], share, setShare }: BlendProps): ReactElement {
  const { both } = useCompareText();
  return (
    <label className="compare-blend">
      <span>
        <SideMark side="a" /> {a}
      </span>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={share}
        aria-label={both.blend}
        aria-valuetext={both.blended(Math.round((share / STEPS) * 100))}
        onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
      />
      <span>
        <SideMark side="b" /> {b}
      </span>
    </label>
  );
}

/** What happened last in each. */
function Nows({ side, runs, pair }: Omit<BothPictureProps, "apart">): ReactElement {
  return (
    <div className="compare-nows">
      {(["a", "b"] as const).map((name, index) => {
        const compared = runs[at(pair, index)];
        return compared === undefined ? null : (
          <div key={name}>
            <SideMark side={name} />
            <Now side={side} compared={compared} />
          </div>
        );
      })}
    </div>
  );
}

interface DifferingProps {
  readonly differs: readonly DifferingElement[];
  readonly selected: StageElement | null;
  readonly show: (element: StageElement) => void;
}

function Differing({ differs, selected, show }: DifferingProps): ReactElement {
  const { both } = useCompareText();
  const chosen = differs.find(({ element }) => sameElement(element, selected));
  return (
    <>
      <p className="compare-chosen">
        {chosen !== undefined ? <Apart of={chosen} /> : selected === null ? both.choose : both.alike}
      </p>
      <details className="compare-differing">
        <summary>{both.differing(differs.length)}</summary>
        <ul>
          {differs.map((of) => (
            <li key={`${of.element.kind} ${of.element.id}`}>
              <button
                type="button"
                className="link-button"
                aria-pressed={sameElement(of.element, selected)}
                onClick={() => show(of.element)}
              >
                {of.apart.name}
              </button>{" "}
              <Words of={of} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Apart({ of }: { readonly of: DifferingElement }): ReactElement {
  return (
    <>
      <strong>{of.apart.name}</strong> <Words of={of} />
    </>
  );
}

/** What only one of the runs says of an element. */
function Words({ of: { half, apart } }: { readonly of: DifferingElement }): ReactElement {
  const { both } = useCompareText();
  if (half !== "differs") return <>{both.onlyIn[half]}</>;
  if (apart.a === "" && apart.b === "") return <>{both.inTimes}</>;
  return (
    <>
      <SideMark side="a" /> {apart.a === "" ? both.not : apart.a} <SideMark side="b" />{" "}
      {apart.b === "" ? both.not : apart.b}
    </>
  );
}

interface Mounted {
  readonly stage: BothStage;
  readonly stop: () => void;
}

interface Listeners {
  /** `null`: their jobs do not stand the same. */
  readonly onDiffers: (differs: readonly DifferingElement[] | null) => void;
  readonly onSelect: (element: StageElement | null) => void;
}

function mount(host: HTMLElement, side: SideBySide, pair: Pair, { onDiffers, onSelect }: Listeners): Mounted {
  const text = currentStageText();
  const theme = coloursNow();
  const stage = new BothStage(host, {
    theme,
    text,
    both: enCompare.both,
    onSelect,
    onDrawn: onDiffers,
    still: isStill,
  });
  const frames: { [S in Side]: Frame | null } = { a: null, b: null };
  const paint = (): void => {
    const { a, b } = frames;
    if (a === null || b === null) return;
    if (a.scene.layout === b.scene.layout) stage.draw(a, b);
    else onDiffers(null);
  };
  const soon = together(side, paint);
  const drives = (["a", "b"] as const).map((name, place) => driveOf(stage, side, at(pair, place), name, frames, soon));
  const ask = (): void => drives.forEach((drive) => drive.ask());
  const sizes = new ResizeObserver(() => drives.forEach((drive) => drive.resized()));
  sizes.observe(host);
  const stops = [
    side.cursor.subscribe(ask),
    side.runs.store.subscribe(ask),
    onColours((colours) => stage.restyle(colours, currentStageText())),
    () => sizes.disconnect(),
    () => drives.forEach((drive) => drive.stop()),
    () => stage.destroy(),
  ];
  ask();
  return { stage, stop: () => stops.forEach((stop) => stop()) };
}

/** Both runs are drawn in one turn, so that the picture never is of two moments. */
function together({ turns }: SideBySide, paint: () => void): (draw: () => void) => () => void {
  const waiting = new Set<() => void>();
  let asked = false;
  return (draw) => {
    waiting.add(draw);
    if (!asked) {
      asked = true;
      turns.ask(() => {
        asked = false;
        const all = [...waiting];
        waiting.clear();
        for (const each of all) each();
        paint();
      });
    }
    return () => waiting.delete(draw);
  };
}

function driveOf(
  stage: BothStage,
  side: SideBySide,
  place: number,
  name: Side,
  frames: { [S in Side]: Frame | null },
  soon: (draw: () => void) => () => void,
): StageDrive {
  const drawn = {
    draw: (frame: Frame) => void (frames[name] = frame),
    size: () => stage.size(),
    folds: () => stage.folds(),
    resize: () => stage.resize(),
  };
  return new StageDrive(drawn, {
    shown: () => side.shown(place),
    laidOut: () => stage.zoom("fit"),
    rooms,
    soon,
  });
}
