/** All windows at once, in words. */
import type { ReactElement } from "react";
import { type Ruler, parties } from "../../projection/windows.ts";
import { outcomeOfLanding } from "../crash/landing.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { duration } from "../format.ts";
import { useWindowsText } from "../text/windows-text.ts";
import { type Answers, answersOf } from "./answers.ts";

interface WindowsTableProps {
  readonly ruler: Ruler;
  readonly answers: Answers;
}

export function WindowsTable({ ruler, answers }: WindowsTableProps): ReactElement {
  const words = useWindowsText();
  const { window, name, lasts, verdict } = words.columns;
  const heads = [window, name, lasts, ...parties.map((party) => words.parties[party]), verdict];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: a keyboard must get at all of it
    <section className="windows-table" aria-label={words.table} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ruler.windows.map((each, index) => (
            <tr key={each.from.step}>
              <th scope="row">{words.number(index)}</th>
              <td>{words.window(each.from, each.to)}</td>
              <td>{duration(each.to.clock - each.from.clock)}</td>
              {parties.map((party) => (
                <td key={party}>{words.knows(party, each.known[party])}</td>
              ))}
              <td>
                {answersOf(each, answers).map(({ step, landing }) => (
                  <button
                    key={step}
                    type="button"
                    className="link-button"
                    disabled={landing === null}
                    aria-label={words.crashIn(words.number(index))}
                    onClick={() => answers.crash(step)}
                  >
                    {landing === null ? "…" : <OutcomeWord outcome={outcomeOfLanding(landing)} />}
                  </button>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
