/** The windows beside one another, as wide as they are many, and below them the same in true scale. */
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import type { Ruler } from "../../projection/windows.ts";
import { outcomeOfLanding } from "../crash/landing.ts";
import { OutcomeGlyph } from "../controls/outcome-word.tsx";
import { useText } from "../text/use-text.ts";
import { useWindowsText } from "../text/windows-text.ts";
import { type Answers, answersOf } from "./answers.ts";

interface RulerRadiosProps {
  readonly ruler: Ruler;
  readonly answers: Answers;
  readonly shown: number;
  readonly show: (index: number) => void;
}

export function RulerRadios({ ruler, answers, shown, show }: RulerRadiosProps): ReactElement {
  const words = useWindowsText();
  const text = useText();
  return (
    <fieldset className="windows-ruler">
      <legend className="visually-hidden">{words.ruler}</legend>
      <div className="windows-marks">
        {ruler.windows.map((window, index) => {
          const landings = answersOf(window, answers).flatMap(({ landing }) => landing ?? []);
          const outcomes = [...new Set(landings.flatMap((landing) => outcomeOfLanding(landing) ?? []))];
          const said = outcomes.map((outcome) => text.outcome.words[outcome]).join(` ${words.thenLater} `);
          return (
            <label key={window.from.step} data-outcome={outcomes.at(-1)}>
              <input
                type="radio"
                name="crash-window"
                className="visually-hidden"
                checked={index === shown}
                data-first={index === 0 ? "" : undefined}
                onChange={() => show(index)}
                aria-label={`${words.number(index)}: ${words.window(window.from, window.to)}. ${said}`}
              />
              <span aria-hidden>{words.number(index)}</span>
              <span className="windows-outcomes" aria-hidden>
                {outcomes.length === 0
                  ? "…"
                  : outcomes.map((outcome) => <OutcomeGlyph key={outcome} outcome={outcome} solid />)}
              </span>
            </label>
          );
        })}
      </div>
      <Scale ruler={ruler} shown={shown} />
    </fieldset>
  );
}

function Scale({ ruler, shown }: Pick<RulerRadiosProps, "ruler" | "shown">): ReactElement {
  const words = useWindowsText();
  const { windows } = ruler;
  const first = at(windows, 0).from.clock;
  const total = at(windows, windows.length - 1).to.clock - first;
  const share = (clock: number): string => `${((clock - first) / Math.max(1, total)) * 100}%`;
  return (
    <div className="windows-scale">
      <div className="windows-true" aria-hidden>
        {windows.map(({ from, to }, index) => (
          <i
            key={from.step}
            data-shown={index === shown ? "" : undefined}
            style={{ left: share(from.clock), width: share(first + to.clock - from.clock) }}
          />
        ))}
      </div>
      <p className="muted">{words.scale(total)}</p>
    </div>
  );
}
