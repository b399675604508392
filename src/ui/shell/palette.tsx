/**
 * The command palette: a combobox over everything that has a name (WAI-ARIA combobox with a listbox). No element says
 * that: what a `datalist` shows can be neither styled nor told apart by kind.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- see above: no element is a combobox with groups */
import "../styles/palette.css";
import { type KeyboardEvent, type ReactElement, useEffect, useId, useMemo, useRef, useState } from "react";
import { showDialog } from "../app-actions.ts";
import { Modal } from "../controls/modal.tsx";
import { useController } from "../controller-context.ts";
import { type Command, commandsOf, found } from "../palette.ts";
import { appStore } from "../store.ts";
import { useKeysText } from "../text/keys-text.ts";
import { usePaletteText } from "../text/palette-text.ts";
import { useText } from "../text/use-text.ts";

/** Names that are listed at once. */
const MOST = 50;

export default function Palette(): ReactElement {
  const palette = usePaletteText();
  const controller = useController();
  const list = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const shown = useFound(typed);
  const listed = shown.slice(0, MOST);
  /** Done when the palette is gone and the focus is where it was. */
  const chosen = useRef<Command | null>(null);
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    chosen.current = command;
    showDialog(null);
  };
  const move = (event: KeyboardEvent): void => {
    const to = next(event.key, active, listed.length);
    if (event.key === "Enter") choose(listed[active]);
    else if (to === null) return;
    else setActive(to);
    event.preventDefault();
  };
  const option = (index: number): string => `${list}-${index}`;
  return (
    <Modal
      title={palette.title}
      description={palette.description}
      className="dialog palette"
      onClose={() => showDialog(null)}
      afterwards={() => chosen.current?.act(controller)}
    >
      <Field
        list={list}
        active={listed.length === 0 ? undefined : option(active)}
        typed={typed}
        onType={(now) => {
          setTyped(now);
          setActive(0);
        }}
        onKey={move}
      />
      <output className="muted palette-found">{palette.found(listed.length, shown.length > MOST)}</output>
      <Options id={list} options={listed} active={active} option={option} onChoose={choose} />
    </Modal>
  );
}

interface FieldProps {
  readonly list: string;
  /** The option that Enter takes; `undefined`: none is there. */
  readonly active: string | undefined;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Field({ list, active, typed, onType, onKey }: FieldProps): ReactElement {
  const palette = usePaletteText();
  return (
    <input
      type="text"
      role="combobox"
      data-first
      className="text-input"
      aria-label={palette.field}
      aria-expanded={active !== undefined}
      aria-controls={list}
      aria-activedescendant={active}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      placeholder={palette.hint}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}

/** One more than are listed tells that there are more. */
function useFound(typed: string): readonly Command[] {
  const text = useText();
  const keys = useKeysText();
  const palette = usePaletteText();
  const commands = useMemo(() => commandsOf(appStore.getState(), { text, keys, palette }), [text, keys, palette]);
  return useMemo(() => found(commands, typed, MOST + 1), [commands, typed]);
}

function next(key: string, active: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return count === 0 ? 0 : (active + 1) % count;
    case "ArrowUp":
      return count === 0 ? 0 : (active + count - 1) % count;
    case "PageDown":
      return Math.min(active + 8, Math.max(0, count - 1));
    case "PageUp":
      return Math.max(active - 8, 0);
    default:
      return null;
  }
}

interface OptionsProps {
  readonly id: string;
  readonly options: readonly Command[];
  readonly active: number;
  readonly option: (index: number) => string;
  readonly onChoose: (command: Command) => void;
}

function Options({ id, options, active, option, onChoose }: OptionsProps): ReactElement {
  const { title, kinds } = usePaletteText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, options]);
  return (
    <div ref={box} id={id} role="listbox" tabIndex={-1} aria-label={title} className="palette-list">
      {options.map((command, index) => (
        <div
          key={command.id}
          id={option(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="palette-option"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
          onKeyDown={(event) => (event.key === "Enter" ? onChoose(command) : undefined)}
        >
          <span className="palette-name">{command.name}</span>
          <span className="palette-kind">{kinds[command.kind]}</span>
          {command.beside === "" ? null : command.kind === "action" || command.kind === "panel" ? (
            <kbd>{command.beside.split(" ")[0]}</kbd>
          ) : (
            <span className="muted">{command.beside}</span>
          )}
        </div>
      ))}
    </div>
  );
}
