/** All that is told of a comparison, from the picture down to the figures. It computes while it is looked at. */
import { type ReactElement, useEffect, useState } from "react";
import { tinykeys } from "tinykeys";
import { useStore } from "zustand";
import type { Comparison } from "../../scenario/comparison.ts";
import { isEmpty } from "../../projection/run-diff.ts";
import { useController } from "../controller-context.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { onControl } from "../keyboard.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { usePhone } from "../use-media.ts";
import { Actions } from "./actions.tsx";
import { BothPicture } from "./both-picture.tsx";
import { Columns } from "./columns.tsx";
import { momentIn } from "./cursor.ts";
import { Difference } from "./difference.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { Follows } from "./follows.tsx";
import { Given } from "./given.tsx";
import { keyed } from "./keyed.ts";
import { InShort } from "./in-short.tsx";
import { shortNameOf } from "./names.ts";
import { openAsMain } from "./open-as-main.ts";
import { type View, rememberView, rememberedView, views } from "./remembered.ts";
import { type ComparedRun, along } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { Transport } from "./transport.tsx";
import { type Pair, useTwo } from "./two.ts";

interface ContentProps {
  readonly compared: Comparison | readonly ComparedRun[];
  /** Places of A and B among the runs. */
  readonly pair: Pair;
  readonly setPair: (pair: Pair) => void;
  /** What is chosen above all. */
  readonly head: (runs: readonly ComparedRun[]) => ReactElement;
}

export function Content({ compared, pair, setPair, head }: ContentProps): ReactElement {
  const controller = useController();
  const { connect } = controller;
  const [side] = useState(() => new SideBySide(compared, connect));
  useEffect(() => side.start(), [side]);
  const runs = useStore(side.runs.store, (store) => store.runs);
  const [said, toCheckpoint] = useCheckpointSteps(side);
  const [a, b] = pair;
  const [view, look] = useView();
  useEffect(
    () =>
      listen(side, {
        toCheckpoint,
        swap: () => setPair([b, a]),
        look: () => look(view === "both" ? "sides" : "both"),
      }),
    [side, toCheckpoint, setPair, look, a, b, view],
  );
  const two = useTwo(runs, pair);
  const makeMain = (): void => {
    if (two !== null) openAsMain(controller, side, two.b.compared);
  };
  const isPair = runs.length === 2;
  // On a phone the runs come first, and what differs is under them.
  const isBelow = usePhone() || !isPair;
  return (
    <>
      <div className="compare-subject">{head(runs)}</div>
      {isPair ? null : <Failures runs={runs} />}
      {isBelow ? null : <Difference side={side} two={two} />}
      <div className="compare-bar">
        <Looks view={view} choose={look} />
        {two === null ? null : <Actions two={two} makeMain={makeMain} />}
      </div>
      {view === "both" ? (
        <BothPicture key={pair.join(" ")} side={side} runs={runs} pair={pair} apart={() => look("sides")} />
      ) : (
        <Columns side={side} runs={runs} pair={pair} />
      )}
      <Transport side={side} runs={runs} toCheckpoint={toCheckpoint} divergence={isPair ? divergenceOf(two) : null} />
      {isBelow ? <Difference side={side} two={two} /> : null}
      {two === null || two.summary.length === 0 ? null : <InShort side={side} two={two} />}
      {two === null ? null : <Given side={side} two={two} />}
      {two === null || isEmpty(two.diff) ? null : <Follows side={side} two={two} />}
      <FiguresTable runs={isPair && a > b ? [...runs].reverse() : runs} />
      <output className="visually-hidden">{said}</output>
    </>
  );
}

/** How they are looked at, now and the next time. */
function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState(rememberedView);
  const [look] = useState(() => (next: View): void => {
    setView(next);
    rememberView(next);
  });
  return [view, look];
}

interface LooksProps {
  readonly view: View;
  readonly choose: (view: View) => void;
}

/** Side by side, or one picture of both. */
function Looks({ view, choose }: LooksProps): ReactElement {
  const { both } = useCompareText();
  return (
    <fieldset className="compare-looks">
      <legend className="visually-hidden">{both.looks}</legend>
      {views.map((each) => (
        <button
          key={each}
          type="button"
          className="button small"
          aria-pressed={each === view}
          aria-keyshortcuts="V"
          onClick={() => choose(each)}
        >
          {both.views[each]}
        </button>
      ))}
    </fieldset>
  );
}

const divergenceOf = (two: ReturnType<typeof useTwo>): number | null => two?.diff.divergence ?? null;

/** What fails in all of them. */
function Failures({ runs }: { readonly runs: readonly ComparedRun[] }): ReactElement {
  const words = useCompareText();
  const text = useText();
  const faults = runs.find(({ scenario }) => scenario !== null)?.scenario?.faults ?? [];
  const names = faults
    .filter((fault) => fault.do !== "trigger-checkpoint")
    .map((fault) => {
      const name = commandName(fault, text);
      return fault.at.kind === "time" ? text.faults.at(name, clockTime(fault.at.time)) : name;
    });
  return <p className="compare-failures">{words.failures(names)}</p>;
}

/** Steps by checkpoint, and what a screen reader is told of them. */
function useCheckpointSteps(side: SideBySide): readonly [string, (direction: 1 | -1) => void] {
  const words = useCompareText();
  const [said, setSaid] = useState("");
  const [step] = useState(() => (direction: 1 | -1) => {
    const moved = side.toCheckpoint(direction);
    const cursor = side.cursor.getState();
    if (!moved || cursor.by !== "checkpoint") {
      setSaid(words.noFurther);
      return;
    }
    const times = side.runs.store
      .getState()
      .runs.flatMap((compared) =>
        along(compared).map((run) => `${shortNameOf(compared, words)} ${clockTime(momentIn(run, cursor)?.clock ?? 0)}`),
      );
    setSaid(words.at(cursor.nth, times.join(", ")));
  });
  return [said, step];
}

interface KeyActs {
  readonly toCheckpoint: (direction: 1 | -1) => void;
  readonly swap: () => void;
  /** The other way to look at them. */
  readonly look: () => void;
}

/** The app's own keys rest while a dialog is open. */
function listen(side: SideBySide, { toCheckpoint, swap, look }: KeyActs): () => void {
  return tinykeys(window, {
    Space: (event) => (onControl(event.target) ? undefined : keyed(() => side.toggle())(event)),
    n: keyed(() => toCheckpoint(1)),
    "Shift+N": keyed(() => toCheckpoint(-1)),
    ".": keyed(() => side.step(1)),
    ",": keyed(() => side.step(-1)),
    s: keyed(swap),
    v: keyed(look),
  });
}
