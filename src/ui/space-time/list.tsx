/**
 * The same as a list, for those who do not see the picture: a process with its events in order; and of an event what
 * happened before it and what came of it, on all processes, the nearest first.
 */
import { type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { BranchRun } from "../store.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { useText } from "../text/use-text.ts";
import { Choose } from "./choose.tsx";
import { type Stretch, within } from "./geometry.ts";
import type { Places } from "./places.ts";

/** What happened before an event, or came of it. */
export interface Around {
  readonly step: number;
  readonly which: "before" | "after";
}

interface EventListProps {
  readonly branch: BranchRun;
  readonly space: SpaceTime;
  readonly places: Places;
  readonly names: readonly string[];
  readonly stretch: Stretch;
  readonly around: Around | null;
  readonly setAround: (around: Around | null) => void;
  readonly point: (step: number) => void;
}

const MOST = 120;

export function EventList(props: EventListProps): ReactElement {
  const words = useSpaceTimeText().list;
  const { space, places, names, stretch, around, setAround, branch, point } = props;
  const [open, setOpen] = useState(false);
  const [chosen, setLine] = useState(0);
  const line = Math.min(chosen, space.lifelines.length - 1);
  const { events } = at(space.lifelines, line);
  const isOpen = open || around !== null;
  const seen = around !== null ? causal(space, around) : isOpen ? within(events, places, stretch) : [];
  const title = around === null ? words.events(at(names, line)) : words.around[around.which](around.step);
  return (
    <details
      className="space-time-list"
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (!event.currentTarget.open) setAround(null);
      }}
    >
      <summary>{words.title}</summary>
      <Head {...{ names, line, setLine, around, setAround, title }} />
      {seen.length === 0 ? <p className="muted">{around === null ? words.none : words.nothing}</p> : null}
      <ol aria-label={title}>
        {seen.slice(0, MOST).map((step) => (
          <Event
            key={step}
            {...{ branch, space, names, step, point, setAround }}
            process={around === null ? null : at(names, space.lineOf(step))}
            showLine={(other) => {
              setAround(null);
              setLine(other);
            }}
          />
        ))}
      </ol>
      {seen.length > MOST ? (
        <p className="muted">{around === null ? words.more(seen.length - MOST) : words.further}</p>
      ) : null}
    </details>
  );
}

interface HeadProps {
  readonly names: readonly string[];
  readonly line: number;
  readonly setLine: (line: number) => void;
  readonly around: Around | null;
  readonly setAround: (around: null) => void;
  readonly title: string;
}

/** Whose events are listed. */
function Head({ names, line, setLine, around, setAround, title }: HeadProps): ReactElement {
  const words = useSpaceTimeText().list;
  if (around === null)
    return (
      <Choose
        label={words.process}
        named
        value={String(line)}
        options={names.map((name, index) => ({ value: String(index), label: name }))}
        choose={(value) => setLine(Number(value))}
      />
    );
  return (
    <p>
      <strong>{title}</strong>{" "}
      <button type="button" className="link-button" onClick={() => setAround(null)}>
        {words.byProcess}
      </button>
    </p>
  );
}

/** The causal past or future of an event, the nearest first; one more than is shown, where there are more. */
function causal(space: SpaceTime, { step, which }: Around): readonly number[] {
  const found: number[] = [];
  const bounds = which === "before" ? space.past(step) : space.future(step);
  const by = which === "before" ? -1 : 1;
  for (let each = step + by; each >= 0 && each < space.length && found.length <= MOST; each += by) {
    const bound = at(bounds, space.lineOf(each));
    if (by < 0 ? each <= bound : each >= bound) found.push(each);
  }
  return found;
}

interface EventProps {
  readonly branch: BranchRun;
  readonly space: SpaceTime;
  readonly names: readonly string[];
  readonly step: number;
  /** Where the list is of several processes. */
  readonly process: string | null;
  readonly point: (step: number) => void;
  readonly setAround: (around: Around) => void;
  readonly showLine: (line: number) => void;
}

function Event({ branch, space, names, step, process, point, setAround, showLine }: EventProps): ReactElement {
  const text = useText();
  const words = useSpaceTimeText().list;
  const controller = useController();
  const { run } = branch;
  const sender = space.senderOf(step);
  return (
    <li>
      <button type="button" className="link-button" onClick={() => controller.goTo(step)} onFocus={() => point(step)}>
        {clockTime(run.log.clock(step))}
      </button>{" "}
      {process === null ? "" : `${process}: `}
      {sentenceOf(run, step, text)}{" "}
      {sender < 0 ? null : (
        <button type="button" className="link-button" onClick={() => showLine(space.lineOf(sender))}>
          {words.from(at(names, space.lineOf(sender)))}
        </button>
      )}{" "}
      <AroundButtons step={step} setAround={setAround} />
    </li>
  );
}

interface AroundButtonsProps {
  readonly step: number;
  readonly setAround: (around: Around) => void;
}

/** The commands "what happened before this" and "what came after this". */
export function AroundButtons({ step, setAround }: AroundButtonsProps): ReactElement {
  const words = useSpaceTimeText().list;
  return (
    <span className="space-time-around">
      {(["before", "after"] as const).map((which) => (
        <button
          key={which}
          type="button"
          className="link-button"
          title={words.around[which](step)}
          onClick={() => setAround({ step, which })}
        >
          {words[which]}
        </button>
      ))}
    </span>
  );
}
