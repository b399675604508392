/** A planned fault, changed or taken out: another element, another instant, how often. It says what would be refused. */
import "../styles/faults.css";
import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { at } from "../../base/assert.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { commandName } from "../fault-name.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import type { FaultMark } from "../../projection/timeline.ts";
import { type Session, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { enPlan } from "../text/en-plan.ts";
import { usePlanText } from "../text/plan-text.ts";
import { useText } from "../text/use-text.ts";
import { type Edited, type Form, editedOf, instantsFor, targetsLike, withEdits } from "./edited.ts";
import { NoEffectNote } from "./no-effect-note.tsx";
import { readPlan, replan, unplan, writtenFaults } from "./plan.ts";
import { isWrong } from "./when.ts";

interface EditorProps {
  readonly session: Session;
  readonly index: number;
  readonly close: () => void;
  /** The place where it has acted that was chosen; else the first. */
  readonly step?: number | null;
}

export default function PlannedEditor({ session, index, close, step = null }: EditorProps): ReactElement {
  const text = useText();
  const words = usePlanText();
  const controller = useController();
  const { graph } = session;
  const [fault, written] = [at(session.scenario.faults, index), at(writtenFaults(session), index)];
  const [edited, setEdited] = useState(() => editedOf(graph, fault));
  const raw = useMemo(() => withEdits(graph, written, fault, edited), [graph, written, fault, edited]);
  const read = useMemo(() => readPlan(session, index, raw), [session, index, raw]);
  const problems = isWrong(edited) ? [words.percentWrong] : read.ok ? [] : read.problems.map(({ message }) => message);
  const leave = (act: () => void): void => {
    close();
    act();
  };
  const foot = (
    <Foot
      acted={useActed(index, step)}
      close={close}
      takeOut={() => leave(() => unplan(controller, index))}
      save={
        problems.length > 0 || JSON.stringify(raw) === JSON.stringify(written)
          ? null
          : () => leave(() => replan(controller, index, raw))
      }
    />
  );
  return (
    <Modal
      className="dialog planned-editor"
      title={words.editTitle(commandName(fault, text))}
      description={words.editDescription}
      onClose={close}
      foot={foot}
    >
      <p>
        <NoEffectNote session={session} index={index} />
      </p>
      <Where session={session} edited={edited} set={setEdited} words={words} />
      <When session={session} edited={edited} set={setEdited} words={words} written={written["at"] as object} />
      <div aria-live="polite">
        {problems.map((message) => (
          <p key={message} className="problem-text">
            {message}
          </p>
        ))}
      </div>
    </Modal>
  );
}

interface FootProps {
  readonly acted: FaultMark | undefined;
  readonly close: () => void;
  readonly takeOut: () => void;
  /** `null`: nothing is changed, or it would be refused. */
  readonly save: (() => void) | null;
}

function Foot({ acted, close, takeOut, save }: FootProps): ReactElement {
  const words = usePlanText();
  const controller = useController();
  const go = (step: number): void => {
    close();
    controller.goTo(step);
  };
  return (
    <>
      <button type="button" className="button danger" onClick={takeOut}>
        {words.takeOut}
      </button>
      {acted === undefined ? null : (
        <button type="button" className="button" onClick={() => go(acted.step)}>
          {words.goWhere(clockTime(acted.clock))}
        </button>
      )}
      <button type="button" className="button primary" disabled={save === null} onClick={() => save?.()}>
        {words.save}
      </button>
    </>
  );
}

/** Where it acts in the run that is shown. */
function useActed(index: number, step: number | null): FaultMark | undefined {
  const branch = useApp(branchOf);
  const faults = branch === null ? [] : factsOf(branch.run).timeline.faults;
  return faults.find((mark) => mark.fault === index && (step === null || mark.step === step));
}

interface PartProps {
  readonly session: Session;
  readonly edited: Edited;
  readonly set: (edited: Edited) => void;
  readonly words: typeof enPlan;
}

function Where({ session: { graph }, edited, set, words }: PartProps): ReactElement | null {
  const targets = targetsLike(graph, edited.target);
  if (targets.length === 0) return null;
  // The instants of another element may be others.
  const move = (target: string): void => {
    const known = instantsFor(graph, target).map(({ name }) => name as Form);
    const named = !["time", "step", "written"].includes(edited.form);
    set({ ...edited, target, form: !named || known.includes(edited.form) ? edited.form : (known[0] ?? "time") });
  };
  return (
    <Field label={words.where}>
      <select data-first value={edited.target ?? ""} onChange={(event) => move(event.currentTarget.value)}>
        {targets.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </Field>
  );
}

function When({ session: { graph }, edited, set, words, written }: PartProps & { written: object }): ReactElement {
  const { form } = edited;
  const choose = (next: Form): void => {
    const place = next === "time" ? "1 s" : next === "step" ? "100" : "";
    set({ ...edited, form: next, place });
  };
  return (
    <>
      <Field label={words.when}>
        <select value={form} onChange={(event) => choose(event.currentTarget.value as Form)}>
          {instantsFor(graph, edited.target).map(({ name }) => (
            <option key={name} value={name}>
              {words.instants[name]}
            </option>
          ))}
          <option value="time">{words.atTime}</option>
          <option value="step">{words.atStep}</option>
          {"time" in written || "step" in written ? null : <option value="written">{words.asWritten}</option>}
        </select>
      </Field>
      {form === "time" || form === "step" ? (
        <Field label={form === "time" ? words.timeField : words.stepField}>
          <Text value={edited.place} set={(place) => set({ ...edited, place })} />
        </Field>
      ) : (
        <Often edited={edited} set={set} words={words} />
      )}
    </>
  );
}

function Often({ edited, set, words }: Omit<PartProps, "session">): ReactElement {
  return (
    <>
      <Field label={words.nthField}>
        <Text value={edited.nth} set={(nth) => set({ ...edited, nth })} />
      </Field>
      <label className="planned-check">
        <input
          type="checkbox"
          checked={edited.every}
          onChange={({ currentTarget: { checked } }) => set({ ...edited, every: checked, percent: null })}
        />
        {words.everyTime}
      </label>
      {edited.every ? (
        <Field label={words.percent}>
          <Text value={edited.percent ?? "100"} set={(percent) => set({ ...edited, percent })} />
        </Field>
      ) : null}
    </>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <label className="planned-field">
      <span>{label}</span>
      {children}
    </label>
  );
}

function Text({ value, set }: { readonly value: string; readonly set: (value: string) => void }): ReactElement {
  return (
    <input
      className="text-input"
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}
