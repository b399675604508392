/** The runs beside each other; where there is room for one only, they are swiped through. */
import { Maximize2 } from "lucide-react";
import { type ReactElement, type RefObject, useRef, useState } from "react";
import { useStore } from "zustand";
import { useController } from "../controller-context.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { reducedMotion } from "../player.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { hasCheckpoint, momentIn } from "./cursor.ts";
import { openAsMain } from "./open-as-main.ts";
import { nameOfRun, noteOf, shortNameOf } from "./names.ts";
import { Picture } from "./picture.tsx";
import type { Side } from "../../projection/run-diff.ts";
import { type ComparedRun, along, isComputing } from "./runs.ts";
import { SideMark } from "./side-mark.tsx";
import type { Pair } from "./two.ts";
import type { SideBySide } from "./side-by-side.ts";

interface ColumnsProps {
  readonly side: SideBySide;
  readonly runs: readonly ComparedRun[];
  /** Two stand in this order. */
  readonly pair: Pair;
}

export function Columns({ side, runs, pair }: ColumnsProps): ReactElement {
  const words = useCompareText();
  const row = useRef<HTMLElement>(null);
  const places = runs.length === 2 ? pair : [...runs.keys()];
  const inOrder = places.flatMap((place) => {
    const compared = runs[place];
    return compared === undefined ? [] : [{ place, compared, mark: markOf(pair, place) }];
  });
  return (
    <>
      <Swipe runs={inOrder.map(({ compared }) => compared)} row={row} />
      <section ref={row} className="compare-columns" aria-label={words.columns}>
        {inOrder.map(({ place, compared, mark }) => (
          <Column key={compared.id} side={side} compared={compared} index={place} mark={mark} />
        ))}
      </section>
    </>
  );
}

function markOf([a, b]: Pair, place: number): Side | null {
  if (place === a) return "a";
  return place === b ? "b" : null;
}

interface SwipeProps {
  readonly runs: readonly ComparedRun[];
  readonly row: RefObject<HTMLElement | null>;
}

/** Shown where the columns do not stand beside each other. */
function Swipe({ runs, row }: SwipeProps): ReactElement {
  const words = useCompareText();
  const [shown, setShown] = useState(0);
  const show = (index: number): void => {
    setShown(index);
    const column = row.current?.children[index];
    const behavior = reducedMotion() ? "instant" : "smooth";
    if (column instanceof HTMLElement) row.current?.scrollTo({ left: column.offsetLeft, behavior });
  };
  const follow = (): void => {
    const width = row.current?.clientWidth ?? 0;
    if (width > 0) setShown(Math.round((row.current?.scrollLeft ?? 0) / width));
  };
  const watch = (node: HTMLElement | null): (() => void) => {
    node?.ownerDocument.addEventListener("scrollend", follow, { capture: true });
    return () => node?.ownerDocument.removeEventListener("scrollend", follow, { capture: true });
  };
  return (
    <div ref={watch} className="compare-swipe">
      {runs.map((compared, index) => (
        <button
          key={compared.id}
          type="button"
          className="tab"
          aria-pressed={index === shown}
          onClick={() => show(index)}
        >
          {shortNameOf(compared, words)}
        </button>
      ))}
    </div>
  );
}

interface ColumnProps {
  readonly side: SideBySide;
  readonly compared: ComparedRun;
  readonly index: number;
  /** `null`: it is neither A nor B. */
  readonly mark: Side | null;
}

function Column({ side, compared, index, mark }: ColumnProps): ReactElement {
  const words = useCompareText();
  const { scenario } = compared;
  const name = nameOfRun(compared, words);
  return (
    <section className="compare-column" aria-label={name}>
      <div className="compare-column-head">
        <div>
          <h3>
            {mark === null ? null : <SideMark side={mark} />} {name}
          </h3>
          <p className="muted">{noteOf(compared, words)}</p>
        </div>
        <OpenAsMain side={side} compared={compared} name={name} />
      </div>
      {scenario === null ? <Refused compared={compared} /> : <Picture side={side} index={index} />}
      <Trouble compared={compared} />
      {scenario === null ? null : <Now side={side} compared={compared} />}
    </section>
  );
}

function OpenAsMain({
  side,
  compared,
  name,
}: Pick<ColumnProps, "side" | "compared"> & { readonly name: string }): ReactElement {
  const words = useCompareText();
  const controller = useController();
  return (
    <button
      type="button"
      className="button small"
      aria-label={words.openLabel(name)}
      disabled={compared.report === null}
      onClick={() => openAsMain(controller, side, compared)}
    >
      <Maximize2 aria-hidden />
      {words.open}
    </button>
  );
}

function Refused({ compared: { problems } }: { readonly compared: ComparedRun }): ReactElement {
  const words = useCompareText();
  return (
    <div className="compare-picture compare-refused">
      <p>
        <strong>{words.refused}</strong>
      </p>
      <ul>
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Trouble({ compared: { broken, violation } }: { readonly compared: ComparedRun }): ReactElement | null {
  const words = useCompareText();
  if (broken === null && violation === null) return null;
  return (
    <div className="compare-trouble" role="alert">
      {violation === null ? null : <p>{words.violation(violation.invariant)}</p>}
      {broken === null ? null : (
        <>
          <p>
            <strong>{words.brokeOff}</strong> {words.brokeOffBody}
          </p>
          <p className="failure-message">{broken}</p>
        </>
      )}
    </div>
  );
}

/** Where the cursor stands in this run, and what happened there. */
export function Now({ side, compared }: Pick<ColumnProps, "side" | "compared">): ReactElement {
  const words = useCompareText();
  const cursor = useStore(side.told, (told) => told.cursor);
  const { run, length } = compared;
  const [of] = along(compared);
  const moment = of === undefined ? null : momentIn(of, cursor);
  if (isComputing(compared) || run === null || of === undefined || moment === null) {
    const clock = run === null || length === 0 ? null : run.log.clock(length - 1);
    return <p className="compare-now muted">{words.computing(length, clock)}</p>;
  }
  const over = moment.step === length - 1 && cursor.by === "time";
  const missing = cursor.by === "checkpoint" && !hasCheckpoint(of, cursor.nth);
  return (
    <p className="compare-now">
      <span className="compare-clock">{clockTime(Math.floor(moment.clock))}</span>
      <Happened compared={compared} step={moment.step} />
      {missing ? <span className="tag">{words.noMore(cursor.nth)}</span> : null}
      {over ? <span className="tag">{words.over}</span> : null}
    </p>
  );
}

/** Entries that are looked through for one that is more than a record on its way. */
const FARTHEST = 400;

function Happened({
  compared: { run },
  step,
}: {
  readonly compared: ComparedRun;
  readonly step: number;
}): ReactElement {
  const text = useText();
  if (run === null) return <span />;
  const { explainer } = factsOf(run);
  let told = step;
  while (told > Math.max(0, step - FARTHEST) && explainer.sentence(told).level === "everything") told--;
  return <span>{sentenceOf(run, told, text)}</span>;
}
