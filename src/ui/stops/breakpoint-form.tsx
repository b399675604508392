/** A new breakpoint: kind, element, a comparison over the fields of that kind, and the hit from which on it stops. */
import { Plus } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { type Operator, comparableFields, isOrdered, operators, valuesOf } from "../../projection/comparisons.ts";
import type { FieldKind } from "../../protocol/field-kinds.ts";
import { typesOf } from "../events/filter.ts";
import { ElementOptions, KindOptions, kindOf, useElements } from "../events/options.tsx";
import { type BranchRun, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useStopsText } from "../text/stops-text.ts";
import { add } from "./breakpoints.ts";

interface Draft {
  readonly kind: string;
  readonly element: string;
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
  readonly hit: string;
}

const empty: Draft = { kind: "CheckpointCompleted", element: "", field: "", operator: "=", value: "", hit: "1" };

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
    const value = draft.value.trim();
    const problem =
      kind === undefined
        ? ""
        : value === ""
          ? words.needsValue
          : wrongNumber(kind, value, words.needsNumber(draft.field));
    setWrong(problem);
    if (problem !== "") return;
    const { field, operator } = draft;
    add({
      kind: chosen,
      element: of(draft.element) ?? null,
      comparison: kind === undefined ? null : { field, operator, value },
      hit: Math.max(1, Math.floor(Number(draft.hit)) || 1),
    });
  };
  return (
    <form className="stops-form" aria-label={words.form} onSubmit={submit} noValidate>
      <label className="select">
        <span>{words.kind}</span>
        <select
          value={draft.kind}
          onChange={(event) => change({ kind: event.currentTarget.value, field: "", value: "" })}
        >
          <option value="">{words.anyKind}</option>
          <KindOptions />
        </select>
      </label>
      <label className="select">
        <span>{words.element}</span>
        <select value={draft.element} onChange={(event) => change({ element: event.currentTarget.value })}>
          <option value="">{words.anyElement}</option>
          <ElementOptions groups={groups} />
        </select>
      </label>
      <label className="select">
        <span>{words.field}</span>
        <select
          value={draft.field}
          onChange={(event) => change({ field: event.currentTarget.value, operator: "=", value: "" })}
        >
          <option value="">{words.noField}</option>
          {[...fields.keys()].map((field) => (
            <option key={field} value={field}>
              {field}
            </option>
          ))}
        </select>
      </label>
      {kind === undefined ? null : <Compared kind={kind} draft={draft} change={change} wrong={wrong} />}
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
    </form>
  );
}

function wrongNumber(kind: FieldKind, value: string, words: string): string {
  return isOrdered(kind) && !Number.isFinite(Number(value)) ? words : "";
}

interface ComparedProps {
  readonly kind: FieldKind;
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly wrong: string;
}

function Compared({ kind, draft, change, wrong }: ComparedProps): ReactElement {
  const words = useStopsText();
  const graph = useApp((app) => app.session?.graph ?? appStore.getState().session?.graph);
  const values = graph === undefined ? null : valuesOf(graph, kind);
  const known = operators.filter((operator) => isOrdered(kind) || operator === "=" || operator === "≠");
  return (
    <span className="stops-comparison">
      <span className="select">
        <select
          aria-label={words.operator}
          value={draft.operator}
          onChange={(event) => change({ operator: known.find((each) => each === event.currentTarget.value) ?? "=" })}
        >
          {known.map((operator) => (
            <option key={operator} value={operator}>
              {operator}
            </option>
          ))}
        </select>
      </span>
      {values === null ? (
        <input
          className="text-input stops-value"
          aria-label={words.value}
          aria-invalid={wrong !== ""}
          aria-describedby="stops-wrong"
          inputMode={isOrdered(kind) ? "numeric" : "text"}
          value={draft.value}
          onChange={(event) => change({ value: event.currentTarget.value })}
        />
      ) : (
        <span className="select">
          <select
            aria-label={words.value}
            aria-invalid={wrong !== ""}
            aria-describedby="stops-wrong"
            value={draft.value}
            onChange={(event) => change({ value: event.currentTarget.value })}
          >
            <option value="">…</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </span>
      )}
      <span id="stops-wrong" role="alert" className="failure-note">
        {wrong}
      </span>
    </span>
  );
}
