/** What lists offer: kinds of entries, and the elements of the job, in groups. */
import { type ReactElement, useMemo } from "react";
import { eventFamilies, eventFamilyNames } from "../../projection/event-families.ts";
import { eventTypes } from "../../protocol/events.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useEventsText } from "../text/events-text.ts";
import { useText } from "../text/use-text.ts";
import { type ElementGroup, elementGroups } from "./element-groups.ts";
import type { KindChip, NamedElement } from "./filter.ts";

export function KindOptions(): ReactElement {
  const words = useEventsText();
  return (
    <>
      {eventFamilyNames.map((family) => (
        <optgroup key={family} label={words.families[family]}>
          <option value={family}>{words.familyOf(words.families[family])}</option>
          {eventFamilies[family].map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

export function kindOf(value: string): KindChip | undefined {
  return [...eventFamilyNames, ...eventTypes].find((each) => each === value);
}

const valueOf = ({ kind, id }: NamedElement): string => `${kind}:${id}`;

/** The elements of the job at the cursor, and one of them by the value that its option has. */
export function useElements(branch: BranchRun): {
  readonly groups: readonly ElementGroup[];
  readonly of: (value: string) => NamedElement | undefined;
} {
  const text = useText();
  const step = useApp((app) => app.panelStep);
  const { graph } = branch.run.jobs.at(step);
  const groups = useMemo(() => elementGroups(graph, text), [graph, text]);
  return { groups, of: (value) => groups.flatMap(({ list }) => list).find((each) => valueOf(each) === value) };
}

export function ElementOptions({ groups }: { readonly groups: readonly ElementGroup[] }): ReactElement {
  const words = useEventsText();
  return (
    <>
      {groups.map(({ name, list }) => (
        <optgroup key={name} label={words.groups[name]}>
          {list.map((element) => (
            <option key={valueOf(element)} value={valueOf(element)}>
              {element.name}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}
