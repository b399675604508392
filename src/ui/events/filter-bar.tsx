/** Where filters of the event log are chosen: words, kinds, elements, checkpoints. */
import { isEntryElement } from "../../projection/entry-elements.ts";
import { Crosshair } from "lucide-react";
import type { ReactElement } from "react";
import { Choice } from "../controls/choice.tsx";
import { elementName } from "../element-name.ts";
import { factsOf } from "../facts.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useEventsText } from "../text/events-text.ts";
import { useText } from "../text/use-text.ts";
import { changeFilter, filterStore, useFilter } from "./filter.ts";
import { ElementOptions, KindOptions, kindOf, useElements } from "./options.tsx";

interface FilterBarProps {
  readonly branch: BranchRun;
  readonly found: number;
  /** The share of the log that has been searched. */
  readonly done: number;
}

export function FilterBar({ branch, found, done }: FilterBarProps): ReactElement {
  const words = useEventsText();
  const filter = useFilter();
  return (
    <div className="panel-bar events-bar">
      <input
        type="search"
        className="text-input grow"
        aria-label={words.search}
        placeholder={words.searchHint}
        value={filter.words}
        onChange={({ currentTarget }) => changeFilter({ words: currentTarget.value })}
      />
      <KindSelect />
      <ElementSelect branch={branch} />
      <CheckpointSelect branch={branch} />
      <OnlySelected branch={branch} />
      <output className="muted events-found">
        {done < 1 ? words.searching(done) : words.found(found, branch.length)}
      </output>
    </div>
  );
}

interface AddSelectProps {
  /** What it adds; it stays on this, since each choice becomes a chip. */
  readonly label: string;
  readonly add: (value: string) => void;
  readonly children: ReactElement | ReactElement[];
}

function AddSelect({ label, add, children }: AddSelectProps): ReactElement {
  return (
    <Choice label={label.replace("…", "")} quiet value="" choose={add}>
      <option value="">{label}</option>
      {children}
    </Choice>
  );
}

function including<T>(list: readonly T[], item: T | undefined): readonly T[] {
  return item === undefined || list.includes(item) ? list : [...list, item];
}

function KindSelect(): ReactElement {
  const words = useEventsText();
  const add = (value: string): void => changeFilter({ kinds: including(filterStore.getState().kinds, kindOf(value)) });
  return (
    <AddSelect label={words.kind} add={add}>
      <KindOptions />
    </AddSelect>
  );
}

function ElementSelect({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useEventsText();
  const { groups, of } = useElements(branch);
  const add = (value: string): void => {
    const element = of(value);
    const { elements } = filterStore.getState();
    if (element !== undefined && !elements.some(({ name }) => name === element.name))
      changeFilter({ elements: [...elements, element] });
  };
  return (
    <AddSelect label={words.element} add={add}>
      <ElementOptions groups={groups} />
    </AddSelect>
  );
}

function CheckpointSelect({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useEventsText();
  const ids = [...new Set(factsOf(branch.run).timeline.checkpoints.map(({ id }) => id))];
  const add = (value: string): void =>
    changeFilter({
      checkpoints: including(
        filterStore.getState().checkpoints,
        ids.find((id) => String(id) === value),
      ),
    });
  return (
    <AddSelect label={words.checkpoint} add={add}>
      {ids.map((id) => (
        <option key={id} value={id}>
          {words.checkpointChip(id)}
        </option>
      ))}
    </AddSelect>
  );
}

/** The selection of the other views as a filter. */
function OnlySelected({ branch }: { readonly branch: BranchRun }): ReactElement | null {
  const words = useEventsText();
  const text = useText();
  const step = useApp((app) => app.panelStep);
  const selection = useApp((app) => app.selection);
  const { elements, checkpoints } = useFilter();
  if (selection === null || !isEntryElement(selection)) return null;
  const { kind, id } = selection;
  const name = elementName(branch.run.jobs.at(step).graph, selection, text);
  const isThere = kind === "checkpoint" ? checkpoints.includes(id) : elements.some((element) => element.name === name);
  if (isThere) return null;
  const only = (): void =>
    changeFilter(kind === "checkpoint" ? { checkpoints: [id] } : { elements: [{ kind, id, name }] });
  return (
    <button type="button" className="button small" onClick={only}>
      <Crosshair aria-hidden />
      {words.selected(name)}
    </button>
  );
}
