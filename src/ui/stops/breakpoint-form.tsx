/** A new breakpoint: kind, element, a comparison over the fields of that kind, and the hit from which on it stops. */
import { Plus } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { type Operator, comparableFields, isOrdered, operators, valuesOf } from "../../projection/comparisons.ts";
import type { FieldKind } from "../../protocol/field-kinds.ts";
import { Choice } from "../controls/choice.tsx";
import { type KindChip, type NamedElement, typesOf } from "../events/filter.ts";
import { ElementOptions, KindOptions, kindOf, useElements } from "../events/options.tsx";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { stopsText, useStopsText } from "../text/stops-text.ts";
import { type Condition, add } from "./breakpoints.ts";

interface Draft {
  readonly kind: string;
  readonly element: string;
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
  readonly hit: string;
}

const empty: Draft = { kind: "CheckpointCompleted", element: "", field: "", operator: "=", value: "", hit: "1" };

/** What is wrong with a draft, in words; empty: nothing. */
function problemOf({ field, value }: Draft, kind: FieldKind | undefined): string {
  const words = stopsText();
  if (kind === undefined) return "";
  if (value.trim() === "") return words.needsValue;
  return isOrdered(kind) && !Number.isFinite(Number(value)) ? words.needsNumber(field) : "";
}

function conditionOf(
  { field, operator, value, hit }: Draft,
  kind: KindChip | null,
  element: NamedElement | null,
  compared: boolean,
): Condition {
  const comparison = compared ? { field, operator, value: value.trim() } : null;
  return { kind, element, comparison, hit: Math.max(1, Math.floor(Number(hit)) || 1) };
}

export function BreakpointForm({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useStopsText();
  const [draft, setDraft] = useState(empty);
  const [wrong, setWrong] = useState("");
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setWrong("");
  };
  const { groups, of } = useElements(branch);
  const chosen = kindOf(draft.kind) ?? null;
  const fields = comparableFields(chosen === null ? [] : typesOf([chosen]));
  const kind = fields.get(draft.field);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const problem = problemOf(draft, kind);
    setWrong(problem);
    if (problem === "") add(conditionOf(draft, chosen, of(draft.element) ?? null, kind !== undefined));
  };
  return (
    <form className="stops-form" aria-label={words.form} onSubmit={submit} noValidate>
      <Choice label={words.kind} value={draft.kind} choose={(value) => change({ kind: value, field: "", value: "" })}>
        <option value="">{words.anyKind}</option>
        <KindOptions />
      </Choice>
      <Choice label={words.element} value={draft.element} choose={(value) => change({ element: value })}>
        <option value="">{words.anyElement}</option>
        <ElementOptions groups={groups} />
      </Choice>
      <Choice label={words.field} value={draft.field} choose={(field) => change({ field, operator: "=", value: "" })}>
        <option value="">{words.noField}</option>
        <Plain values={[...fields.keys()]} />
      </Choice>
      {kind === undefined ? null : <Compared kind={kind} draft={draft} change={change} wrong={wrong} />}
      <HitAndAdd draft={draft} change={change} />
    </form>
  );
}

function Plain({ values }: { readonly values: readonly string[] }): ReactElement[] {
  return values.map((value) => (
    <option key={value} value={value}>
      {value}
    </option>
  ));
}

interface PartProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

function HitAndAdd({ draft, change }: PartProps): ReactElement {
  const words = useStopsText();
  return (
    <>
      <label className="select">
        <span>{words.hit}</span>
        <input
          type="number"
          className="text-input stops-hit"
          min={1}
          step={1}
          value={draft.hit}
          onChange={(event) => change({ hit: event.currentTarget.value })}
        />
      </label>
      <button type="submit" className="button small primary">
        <Plus aria-hidden />
        {words.add}
      </button>
    </>
  );
}

interface ComparedProps extends PartProps {
  readonly kind: FieldKind;
  readonly wrong: string;
}

const WRONG = "stops-wrong";

function Compared({ kind, draft, change, wrong }: ComparedProps): ReactElement {
  const words = useStopsText();
  const graph = useApp((app) => app.session?.graph);
  const values = graph === undefined ? null : valuesOf(graph, kind);
  const known = operators.filter((operator) => isOrdered(kind) || operator === "=" || operator === "≠");
  const value = (entered: string): void => change({ value: entered });
  return (
    <span className="stops-comparison">
      <Choice
        label={words.operator}
        quiet
        value={draft.operator}
        choose={(chosen) => change({ operator: known.find((each) => each === chosen) ?? "=" })}
      >
        <Plain values={known} />
      </Choice>
      {values === null ? (
        <input
          className="text-input stops-value"
          aria-label={words.value}
          aria-invalid={wrong !== ""}
          aria-describedby={WRONG}
          inputMode={isOrdered(kind) ? "numeric" : "text"}
          value={draft.value}
          onChange={(event) => value(event.currentTarget.value)}
        />
      ) : (
        <Choice label={words.value} quiet value={draft.value} choose={value} invalid={wrong !== ""} describedBy={WRONG}>
          <option value="">…</option>
          <Plain values={values} />
        </Choice>
      )}
      <span id={WRONG} role="alert" className="failure-note">
        {wrong}
      </span>
    </span>
  );
}
