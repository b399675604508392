/** One window: between what it lies, who knows what, and what a crash there comes to. */
import { Zap } from "lucide-react";
import type { ReactElement } from "react";
import { type CrashWindow, parties } from "../../projection/windows.ts";
import { outcomeOfLanding } from "../crash/landing.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { clockTime } from "../format.ts";
import { useCrashText } from "../text/crash-text.ts";
import { useWindowsText } from "../text/windows-text.ts";
import { type Answer, type Answers, answersOf } from "./answers.ts";

interface WindowDetailProps {
  readonly window: CrashWindow;
  readonly index: number;
  readonly answers: Answers;
}

export function WindowDetail({ window, index, answers }: WindowDetailProps): ReactElement {
  const words = useWindowsText();
  const { from, to, known } = window;
  return (
    <section className="windows-detail" aria-live="polite">
      <h3>
        {words.number(index)} {words.window(from, to)}
      </h3>
      <p className="muted">{words.lasts(clockTime(from.clock), to.clock - from.clock)}</p>
      <dl>
        {parties.map((party) => (
          <div key={party}>
            <dt>{words.parties[party]}</dt>
            <dd>{words.knows(party, known[party])}</dd>
          </div>
        ))}
      </dl>
      <Verdicts window={window} answers={answers} />
    </section>
  );
}

function Verdicts({ window, answers }: Omit<WindowDetailProps, "index">): ReactElement {
  const words = useWindowsText();
  const list = answersOf(window, answers);
  if (answers.state === "failed") return <p role="alert">{answers.message}</p>;
  if (list.length === 0) return <p className="muted">{words.unreachable}</p>;
  return (
    <ul className="windows-verdicts">
      {list.map((answer, index) => (
        <li key={answer.step}>
          <span className="muted">
            {list.length === 1 ? words.at.start : index === 0 ? words.at.first : words.at.last}
          </span>
          <span className="windows-said">
            <Said answer={answer} ends={answers.survey?.ends ?? 0} />
          </span>
          <button
            type="button"
            className="button small"
            disabled={answer.landing === null}
            onClick={() => answers.crash(answer.step)}
          >
            <Zap aria-hidden />
            {words.crash}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Said({ answer: { landing }, ends }: { readonly answer: Answer; readonly ends: number }): ReactElement {
  const crash = useCrashText();
  if (landing === null) return <span className="muted">{crash.computing}</span>;
  return (
    <>
      <OutcomeWord outcome={outcomeOfLanding(landing)} /> {crash.came(landing, ends)}
    </>
  );
}
