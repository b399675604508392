/** The same as a list, for those who do not see the picture: a process with its events in order, before and after each. */
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

interface EventListProps {
  readonly branch: BranchRun;
  readonly space: SpaceTime;
  readonly places: Float64Array;
  readonly names: readonly string[];
  readonly stretch: Stretch;
  readonly point: (step: number) => void;
}

const MOST = 120;

export function EventList({ branch, space, places, names, stretch, point }: EventListProps): ReactElement {
  const text = useText();
  const words = useSpaceTimeText().list;
  const controller = useController();
  const [open, setOpen] = useState(false);
  const [line, setLine] = useState(0);
  const { events } = at(space.lifelines, Math.min(line, space.lifelines.length - 1));
  const seen = open ? within(events, places, stretch) : [];
  const { run } = branch;
  return (
    <details className="space-time-list" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.title}</summary>
      <Choose
        label={words.process}
        named
        value={String(line)}
        options={names.map((name, index) => ({ value: String(index), label: name }))}
        choose={(value) => setLine(Number(value))}
      />
      {seen.length === 0 ? <p className="muted">{words.none}</p> : null}
      <ol aria-label={words.events(at(names, line))}>
        {seen.slice(0, MOST).map((step) => {
          const sender = space.senderOf(step);
          const after = events[space.placeOf(step) + 1];
          return (
            <li key={step}>
              <button
                type="button"
                className="link-button"
                onClick={() => controller.goTo(step)}
                onFocus={() => point(step)}
              >
                {clockTime(run.log.clock(step))}
              </button>{" "}
              {sentenceOf(run, step, text)}{" "}
              {sender < 0 ? null : (
                <button type="button" className="link-button" onClick={() => setLine(space.lineOf(sender))}>
                  {words.from(at(names, space.lineOf(sender)))}
                </button>
              )}
              {after === undefined ? null : <span className="visually-hidden">{words.after}</span>}
            </li>
          );
        })}
      </ol>
      {seen.length > MOST ? <p className="muted">{words.more(seen.length - MOST)}</p> : null}
    </details>
  );
}
