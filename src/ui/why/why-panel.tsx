/**
 * Why (key W): of what is selected, else of the entry that the narrator tells. What it waits for, the causes back to a
 * root, and what came of it; all of it is lit in every view while this is open.
 */
import "../styles/why.css";
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { transactionName } from "../../protocol/ids.ts";
import { isEntryElement } from "../../projection/entry-elements.ts";
import type { Explanation } from "../../projection/sentences.ts";
import { aboutAll, whyOf } from "../../projection/why.ts";
import type { Wait } from "../../projection/waits.ts";
import { useController } from "../controller-context.ts";
import { elementName } from "../element-name.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { type BranchRun, appStore, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useWhyText } from "../text/why-text.ts";
import { useToldStep } from "../use-told-step.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { Causes } from "./causes.tsx";

/** Effects that are lit, and those that are told at first. */
const LIT = 200;
const TOLD = 6;

export default function WhyPanel(): ReactElement | null {
  const branch = useApp(branchOf);
  const moment = useMoment();
  return branch === null || moment === null ? null : <Told branch={branch} moment={moment} />;
}

interface Subject {
  /** The entry that is explained; `null`: nothing has happened. */
  readonly step: number | null;
  readonly waits: readonly Wait[];
  readonly title: string;
}

function useSubject(branch: BranchRun, moment: Moment): Subject {
  const text = useText();
  const words = useWhyText();
  const selection = useApp((app) => app.selection);
  const told = Math.min(useToldStep(), branch.length - 1);
  if (selection === null || !isEntryElement(selection)) return { step: told, waits: [], title: words.titleEntry };
  const title = words.title(elementName(moment.graph, selection, text));
  return { ...whyOf(moment.view, branch.run.log, selection), title };
}

function Told({ branch, moment }: { readonly branch: BranchRun; readonly moment: Moment }): ReactElement {
  const text = useText();
  const words = useWhyText();
  const { step, waits, title } = useSubject(branch, moment);
  const { run } = branch;
  const session = useApp((app) => app.session?.number ?? 0);
  const chain = useMemo(() => (step === null ? [] : factsOf(run).explainer.why(step)), [run, step]);
  const following = step === null ? [] : factsOf(run).effects.following(step, LIT);
  const lit = useLit(branch, chain, following, waits);
  const name = (transaction: number): string => transactionName(moment.graph, transaction);
  return (
    <div className="why">
      <h3 className="why-title">{title}</h3>
      {step === null ? <p className="muted">{words.nothing}</p> : null}
      {waits.length === 0 ? null : (
        <section aria-label={words.waitsTitle}>
          <h4 className="small-title">{words.waitsTitle}</h4>
          <ol className="why-list why-waits">
            {waits.map((wait, index) => (
              <li key={index} className={index === waits.length - 1 ? "culprit" : undefined}>
                {words.waits(wait, name)}
              </li>
            ))}
          </ol>
        </section>
      )}
      {step === null ? null : (
        <>
          <section aria-label={words.causesTitle}>
            <h4 className="small-title">{words.causesTitle}</h4>
            <p className="why-fact">
              <span className="muted">{clockTime(run.log.clock(step))}</span> {sentenceOf(run, step, text)}
            </p>
            <Causes key={`${session} ${step}`} chain={chain} branch={branch} fact={step} />
          </section>
          <Following run={run} steps={following} />
        </>
      )}
      <output className="muted why-lit">{lit}</output>
    </div>
  );
}

/** Lights what is told as long as it is; gives how much that is. */
function useLit(
  { branch, run }: BranchRun,
  chain: readonly Explanation[],
  following: readonly number[],
  waits: readonly Wait[],
): string {
  const words = useWhyText();
  const causes = chain.map(({ step }) => step);
  const steps = new Set([...causes, ...following]);
  const elements = aboutAll(run.log, causes, waits);
  // Both are made anew with each step that is shown, and so is the light.
  useEffect(() => appStore.setState({ lit: { branch: branch.id, steps, elements } }));
  useEffect(() => () => appStore.setState({ lit: null }), []);
  return words.lit(steps.size, elements.length);
}

function Following({ run, steps }: { readonly run: Run; readonly steps: readonly number[] }): ReactElement {
  const text = useText();
  const words = useWhyText();
  const controller = useController();
  const [all, setAll] = useState(false);
  const shown = all ? steps : steps.slice(0, TOLD);
  return (
    <section aria-label={words.effectsTitle}>
      <h4 className="small-title">{words.effectsTitle}</h4>
      {steps.length === 0 ? <p className="muted">{words.noEffects}</p> : null}
      <ul className="why-list why-effects">
        {shown.map((step) => (
          <li key={step}>
            <span className="muted">{clockTime(run.log.clock(step))}</span> {sentenceOf(run, step, text)}{" "}
            <button
              type="button"
              className="link-button"
              aria-label={text.common.goTo(step)}
              onClick={() => controller.goTo(step)}
            >
              {words.show}
            </button>
          </li>
        ))}
      </ul>
      {steps.length > shown.length ? (
        <button type="button" className="link-button why-more" onClick={() => setAll(true)}>
          {words.more(steps.length - shown.length)}
        </button>
      ) : null}
    </section>
  );
}
