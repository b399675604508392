/** The difference in sentences; each therefore leads to the entry that came of the one before it. */
import type { ReactElement } from "react";
import { useCompareText } from "../text/compare-text.ts";
import { currentStageText } from "../text/stage-text.ts";
import { useText } from "../text/use-text.ts";
import { capital, factInWords } from "./summary-words.ts";
import type { SideBySide } from "./side-by-side.ts";
import type { Two } from "./two.ts";

interface InShortProps {
  readonly side: SideBySide;
  readonly two: Two;
}

export function InShort({ side, two }: InShortProps): ReactElement {
  const words = useCompareText();
  const text = useText();
  const runs = { a: two.a.run, b: two.b.run };
  return (
    <section className="compare-part compare-short" aria-label={words.inShort}>
      <h3 className="small-title">{words.inShort}</h3>
      <ul>
        {two.summary.map((sentence) => {
          const clauses = sentence.map(({ fact, link }) => ({
            said: factInWords(fact, runs, { words, text, stage: currentStageText() }),
            to: link?.to ?? null,
          }));
          return (
            <li key={clauses.map(({ said }) => said).join()}>
              {clauses.map(({ said, to }) => (
                <span key={said}>
                  {to === null ? null : (
                    <>
                      ;{" "}
                      <button
                        type="button"
                        className="link-button"
                        aria-label={words.thereforeTo(to)}
                        onClick={() => side.toEvent(to)}
                      >
                        {words.therefore}
                      </button>{" "}
                    </>
                  )}
                  {to === null ? capital(said) : said}
                </span>
              ))}
              .
            </li>
          );
        })}
      </ul>
    </section>
  );
}
