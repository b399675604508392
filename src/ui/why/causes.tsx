/** The way back from a fact to its root: each link can be shown, and left out in a run beside this one. */
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { independentAfter } from "../../projection/independent.ts";
import { places } from "../../projection/fields.ts";
import type { ConfigReason, Explanation } from "../../projection/sentences.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { useController } from "../controller-context.ts";
import { duration } from "../format.ts";
import { inWords, sentenceOf } from "../narration.ts";
import { type BranchRun, appStore } from "../store.ts";
import { useText } from "../text/use-text.ts";
import { useWhyText } from "../text/why-text.ts";
import { type Answer, type Cause, WhatIfNot, causesOf, keyOf, overDetermined } from "./what-if-not.ts";

interface CausesProps {
  readonly chain: readonly Explanation[];
  readonly branch: BranchRun;
  /** The step of what is explained. */
  readonly fact: number;
}

const { fault } = places("FaultInjected");

/** Links that are told at first. */
const TOLD = 7;

/** By `keyOf`. */
type Answers = ReadonlyMap<string, Answer | "asked">;

export function Causes({ chain, branch, fact }: CausesProps): ReactElement {
  const words = useWhyText();
  const [all, setAll] = useState(false);
  const asking = useAnswers(branch, fact);
  const { answers, ask, isSet } = asking;
  const links = chain.slice(1);
  const shown = all ? links : links.slice(0, TOLD);
  const causes = causesOf(chain, isSet);
  const over = overDetermined(causes, (cause) => given(answers.get(keyOf(cause))));
  const [first] = chain;
  return (
    <>
      <ol className="why-list">
        {first === undefined || first.config === null ? null : <Option config={first.config} asking={asking} />}
        {shown.map((link) => (
          <Link key={link.step} link={link} branch={branch} fact={fact} asking={asking} />
        ))}
        {all || links.length <= TOLD ? <Root chain={chain} branch={branch} /> : null}
      </ol>
      <p className="why-actions">
        {links.length > shown.length ? (
          <button type="button" className="link-button" onClick={() => setAll(true)}>
            {words.more(links.length - shown.length)}
          </button>
        ) : null}
        {causes.length > 1 ? (
          <button type="button" className="link-button" onClick={() => causes.forEach((cause) => ask(cause))}>
            {words.tryAll}
          </button>
        ) : null}
      </p>
      {over === null ? null : <p className="why-over">{words.overDetermined(over)}</p>}
    </>
  );
}

function given(answer: Answer | "asked" | undefined): Answer | undefined {
  return answer === "asked" ? undefined : answer;
}

interface Asking {
  readonly answers: Answers;
  readonly ask: (cause: Cause) => void;
  readonly open: (cause: Cause) => void;
  /** Is an option set, so that its default would be something else? */
  readonly isSet: (option: string) => boolean;
}

/** Answers last as long as the session, the branch and the fact: with another one all of this is made anew. */
function useAnswers(branch: BranchRun, fact: number): Asking {
  const controller = useController();
  const words = useWhyText();
  const { id } = branch.branch;
  const [answers, setAnswers] = useState<Answers>(new Map());
  const whatIf = useMemo(() => {
    const { session } = appStore.getState();
    return session === null ? null : new WhatIfNot(controller, session, id);
  }, [controller, id]);
  useEffect(() => () => whatIf?.close(), [whatIf]);
  const put = (cause: Cause, answer: Answer | "asked"): void =>
    setAnswers((before) => new Map([...before, [keyOf(cause), answer]]));
  const ask = (cause: Cause): void => {
    if (whatIf === null || answers.has(keyOf(cause))) return;
    put(cause, "asked");
    void whatIf.ask(cause, fact).then((answer) => {
      put(cause, answer);
      controller.announce({ says: "words", words: answer === null ? refusal(words, cause) : fateWords(words, answer) });
    });
  };
  return { answers, ask, open: (cause) => whatIf?.open(cause), isSet: (option) => whatIf?.isSet(option) === true };
}

function refusal(words: ReturnType<typeof useWhyText>, cause: Cause): string {
  return cause.kind === "order" ? words.cannotReorder : words.failed;
}

function fateWords(words: ReturnType<typeof useWhyText>, { fate }: NonNullable<Answer>): string {
  return fate.kind === "later" ? words.fates.later(fate) : words.fates[fate.kind]();
}

interface LinkProps extends Pick<CausesProps, "branch" | "fact"> {
  readonly link: Explanation;
  readonly asking: Asking;
}

function Link({ link, branch, fact, asking }: LinkProps): ReactElement {
  const text = useText();
  const words = useWhyText();
  const controller = useController();
  const { step, sentence, config } = link;
  const told = lowerFirst(inWords(sentence, text));
  const entry: Cause = { kind: "entry", step };
  const { log } = branch.run;
  const isFault = sentence.says === "fault";
  const other = useMemo(() => (isFault ? null : independentAfter(log, step, fact)), [isFault, log, step, fact]);
  const order: Cause | null = other === null ? null : { kind: "order", step, other };
  return (
    <>
      <li className={isFault ? "fault" : undefined}>
        {words.because} {told}{" "}
        <span className="why-links">
          <button
            type="button"
            className="link-button"
            aria-label={text.common.goTo(step)}
            onClick={() => controller.goTo(step)}
          >
            {words.show}
          </button>
          <AskButton cause={entry} asking={asking} told={told} how={words.how(sentence.says)} />
          {order === null || other === null ? null : (
            <AskButton
              cause={order}
              asking={asking}
              told={sentenceOf(branch.run, other, text)}
              how={words.reorder(other)}
            />
          )}
        </span>
        <Told cause={entry} asking={asking} />
        {order === null ? null : <Told cause={order} asking={asking} />}
      </li>
      {config === null ? null : <Option config={config} asking={asking} />}
    </>
  );
}

interface AskProps {
  readonly cause: Cause;
  readonly asking: Asking;
  readonly told: string;
  /** What is done so that it is not. */
  readonly how: string;
}

function AskButton({ cause, asking: { answers, ask }, told, how }: AskProps): ReactElement {
  const words = useWhyText();
  return (
    <button
      type="button"
      className="link-button"
      aria-label={words.whatIfNotOf(how, told)}
      disabled={answers.get(keyOf(cause)) === "asked"}
      onClick={() => ask(cause)}
    >
      {how}
    </button>
  );
}

function Told({ cause, asking }: Pick<AskProps, "cause" | "asking">): ReactElement | null {
  const words = useWhyText();
  const answer = asking.answers.get(keyOf(cause));
  if (answer === undefined) return null;
  if (answer === "asked") return <p className="why-answer muted">{words.computing}</p>;
  if (answer === null) return <p className="why-answer muted">{refusal(words, cause)}</p>;
  return (
    <p className="why-answer" data-fate={answer.fate.kind}>
      {fateWords(words, answer)} <OutcomeWord outcome={answer.outcome} />{" "}
      <button type="button" className="link-button" onClick={() => asking.open(cause)}>
        {words.openRun}
      </button>
    </p>
  );
}

function Option({
  config: { option, ms },
  asking,
}: {
  readonly config: ConfigReason;
  readonly asking: Asking;
}): ReactElement {
  const words = useWhyText();
  const cause: Cause = { kind: "option", name: option };
  const told = `${option} ${words.is} ${duration(ms)}`;
  return (
    <li className="option">
      {words.because} <code>{option}</code> {words.is} {duration(ms)}{" "}
      <span className="muted">({asking.isSet(option) ? words.config : words.standard})</span>{" "}
      {asking.isSet(option) ? (
        <span className="why-links">
          <AskButton cause={cause} asking={asking} told={told} how={words.toStandard} />
        </span>
      ) : null}
      <Told cause={cause} asking={asking} />
    </li>
  );
}

/** Where the way back ends, if no option says so. */
function Root({ chain, branch: { run } }: Pick<CausesProps, "chain" | "branch">): ReactElement | null {
  const words = useWhyText();
  const last = chain[chain.length - 1];
  if (last === undefined || last.config !== null) return null;
  const isYours = (): boolean => run.log.field(last.step, fault) >= run.scenario.faults.length;
  const root =
    last.sentence.says === "fault"
      ? isYours()
        ? words.byYou
        : words.byScenario
      : last.sentence.says === "src.emit"
        ? words.input
        : words.start;
  return <li className="root muted">{root}</li>;
}

/** Names keep their capitals: only an article or the like is made small. */
function lowerFirst(sentence: string): string {
  return sentence.replace(/^(The|A|An|All|No|Restart|Attempt|Fault|Checkpoint|Barrier|In|Its)\b/, (word) =>
    word.toLowerCase(),
  );
}
