/** The filters that are on, each with the way to take it off. */
import { X } from "lucide-react";
import type { ReactElement } from "react";
import { nameOfKind } from "./kind-name.ts";
import { useEventsText } from "../text/events-text.ts";
import { type EventFilter, changeFilter, noFilter, useFilter } from "./filter.ts";

interface Chip {
  readonly name: string;
  readonly without: Partial<EventFilter>;
}

export function FilterChips(): ReactElement | null {
  const words = useEventsText();
  const filter = useFilter();
  const chips = chipsOf(filter, words);
  if (chips.length === 0) return null;
  return (
    <ul className="events-chips" aria-label={words.filters}>
      {chips.map(({ name, without }) => (
        <li key={name}>
          <button
            type="button"
            className="events-chip"
            aria-label={words.remove(name)}
            onClick={() => changeFilter(without)}
          >
            {name}
            <X aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="button small" onClick={() => changeFilter(noFilter)}>
          {words.clearAll}
        </button>
      </li>
    </ul>
  );
}

function chipsOf(filter: EventFilter, words: ReturnType<typeof useEventsText>): Chip[] {
  const { kinds, elements, checkpoints, causedBy } = filter;
  return [
    ...kinds.map((kind) => ({ name: nameOfKind(kind), without: { kinds: kinds.filter((each) => each !== kind) } })),
    ...elements.map((element) => ({
      name: element.name,
      without: { elements: elements.filter((each) => each !== element) },
    })),
    ...checkpoints.map((id) => ({
      name: words.checkpointChip(id),
      without: { checkpoints: checkpoints.filter((each) => each !== id) },
    })),
    ...(causedBy === null ? [] : [{ name: words.effectsChip(causedBy), without: { causedBy: null } }]),
  ];
}
