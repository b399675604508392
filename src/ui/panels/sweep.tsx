/** The kill sweep: fails everything, everywhere, and lists the runs in which records were lost or doubled. */
import "../styles/sweep.css";
import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { nameOfBranch } from "../branches.ts";
import { useController } from "../controller-context.ts";
import { type Session, appStore } from "../store.ts";
import { USUAL_PAIRS } from "../../scenario/exploration.ts";
import { type Sweep, failuresOf, stepsOf, sweepOf } from "../sweep.ts";
import type { SweepResult, SweepTarget } from "../sweep-machine.ts";
import { useSweepText } from "../text/sweep-text.ts";
import { useApp } from "../use-app.ts";
import { SweepControls } from "./sweep/controls.tsx";
import { HarmfulRuns } from "./sweep/harmful.tsx";
import { type Shown, isRunning, shownOf, tallied, tallies } from "./sweep/shown.ts";
import { TallyWord } from "./sweep/tally-word.tsx";
import { Beside, OutcomeCounts } from "./sweep/totals.tsx";
import { Violations } from "./sweep/violations.tsx";
import { count } from "../format.ts";

export default function SweepPanel(): ReactElement | null {
  const session = useApp((app) => app.session);
  const sweep = sweepOf(useController());
  const { actor } = sweep;
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = actor.subscribe(changed);
      return () => subscription.unsubscribe();
    },
    [actor],
  );
  const snapshot = useSyncExternalStore(subscribe, () => actor.getSnapshot());
  return session === null ? null : <Content session={session} sweep={sweep} shown={shownOf(snapshot, session)} />;
}

interface ContentProps {
  readonly session: Session;
  readonly sweep: Sweep;
  readonly shown: Shown;
}

function Content({ session, sweep, shown }: ContentProps): ReactElement {
  const { target, progress } = shown;
  const main = useFocusWhenAsked();
  const known =
    target !== null && progress !== null ? { session, sweep, shown, target, totals: progress.totals } : null;
  return (
    <div className={known === null ? "sweep begin" : "sweep"}>
      <Summary scrolls={known !== null}>
        <SweepControls sweep={sweep} shown={shown} main={main} />
        <Trouble shown={shown} />
        {known === null ? <Introduction session={session} shown={shown} /> : null}
        {known === null ? null : <Violations {...known} />}
        {known === null ? null : <OutcomeCounts totals={known.totals} />}
        {target === null ? null : <Target session={session} target={target} />}
        {known === null ? null : <Beside totals={known.totals} />}
        {shown.before === null ? null : <Before result={shown.before} />}
      </Summary>
      {known === null ? null : <HarmfulRuns {...known} />}
    </div>
  );
}

interface SummaryProps {
  /** What scrolls must be reachable by keyboard. */
  readonly scrolls: boolean;
  readonly children: ReactNode;
}

function Summary({ scrolls, children }: SummaryProps): ReactElement {
  const { label } = useSweepText();
  return (
    // A scrolling region without a control in it is reached by the keyboard only if it can be focused (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="sweep-summary" tabIndex={scrolls ? 0 : undefined} aria-label={label}>
      {children}
    </section>
  );
}

/** A key or a menu that opens the panel leads to the button that begins. */
function useFocusWhenAsked(): RefObject<HTMLButtonElement | null> {
  const main = useRef<HTMLButtonElement>(null);
  const asked = useApp((app) => app.sweepAsked);
  useEffect(() => {
    if (!asked) return;
    appStore.setState({ sweepAsked: false });
    main.current?.focus();
  }, [asked]);
  return main;
}

function Introduction({ session, shown }: Omit<ContentProps, "sweep">): ReactElement {
  const words = useSweepText();
  const steps = useApp(stepsOf);
  const failures = useApp((app) => app.settings.sweepFailures);
  if (isRunning(shown.state)) return <p className="sweep-note">{words.starting}</p>;
  return (
    <div className="sweep-what">
      <p>{words.what}</p>
      <p>
        {steps === null ? words.computing : words.about(steps, failuresOf(session), failures === 2 ? USUAL_PAIRS : 0)}
      </p>
    </div>
  );
}

/** Which run the figures are of. */
function Target({ session, target }: { readonly session: Session; readonly target: SweepTarget }): ReactElement {
  const words = useSweepText();
  const branch = useApp((app) => app.branch);
  return (
    <p className="sweep-note">
      <strong>{words.of}</strong> {target.name}
      {branch === target.branch ? null : (
        <span className="muted"> {words.elsewhere(nameOfBranch(session, branch))}</span>
      )}
    </p>
  );
}

function Trouble({ shown: { state, message } }: { readonly shown: Shown }): ReactElement | null {
  const words = useSweepText();
  if (state !== "failed") return null;
  return (
    <div className="sweep-trouble" role="alert">
      <div>
        <p>
          <strong>{words.failed}</strong> {words.failedBody}
        </p>
        <p className="failure-message">{message}</p>
      </div>
    </div>
  );
}

/** What another run came to, to compare with. */
function Before({ result: { target, totals } }: { readonly result: SweepResult }): ReactElement {
  const words = useSweepText();
  const sums = tallied(totals);
  return (
    <div className="sweep-note sweep-before">
      <strong>{words.before}</strong> {target.name}
      <ul>
        {tallies
          .filter((tally) => sums[tally] > 0)
          .map((tally) => (
            <li key={tally}>
              <TallyWord tally={tally} /> {count(sums[tally])}
            </li>
          ))}
      </ul>
    </div>
  );
}
