/** Single keys: on or off, and another one for each. A key that something else has is refused, with the name of that. */
import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { changeSettings } from "../app-actions.ts";
import { canBeRemapped, ownerOf, pressedKey, remapped, shownKeys } from "../key-map.ts";
import { type Binding, bindings } from "../keyboard.ts";
import { useKeysText } from "../text/keys-text.ts";
import { settingsText } from "../text/settings-text.ts";
import { useApp } from "../use-app.ts";
import { Switch } from "./switch.tsx";

export function Keys(): ReactElement {
  const words = settingsText();
  const map = useApp((app) => app.settings.keys);
  const [open, setOpen] = useState(false);
  const changed = Object.keys(map).length;
  return (
    <fieldset className="settings-group">
      <legend className="small-title">{words.groups.keys}</legend>
      <Switch name="singleKeys" label={words.singleKeys} note={words.singleKeysNote} />
      <div className="settings-actions">
        <button type="button" className="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.remap}
        </button>
        <button
          type="button"
          className="button small"
          disabled={changed === 0}
          onClick={() => changeSettings({ keys: {} })}
        >
          <RotateCcw aria-hidden />
          {words.allBack}
        </button>
        <span className="muted">{words.changed(changed)}</span>
      </div>
      {open ? <KeyList /> : null}
    </fieldset>
  );
}

/** Waits for one key at a time. */
function KeyList(): ReactElement {
  const keys = useKeysText();
  const map = useApp((app) => app.settings.keys);
  const [asked, setAsked] = useState<Binding | null>(null);
  const [refused, setRefused] = useState("");
  const give = (binding: Binding, key: string | null): void => {
    setRefused(key === null ? settingsText().refusedOther : takenBy(binding, key));
    if (key === null || takenBy(binding, key) !== "") return;
    changeSettings({ keys: remapped(map, binding.name, key) });
    setAsked(null);
  };
  const takenBy = (binding: Binding, key: string): string => {
    const owner = ownerOf(key, binding.name, map);
    return owner === null ? "" : settingsText().refused(key, keys.names[owner]);
  };
  return (
    <>
      <output className="settings-refused">{refused}</output>
      <ul className="settings-keys">
        {bindings.filter(canBeRemapped).map((binding) => (
          <KeyRow
            key={binding.name}
            binding={binding}
            asked={asked === binding}
            ask={(on) => {
              setAsked(on ? binding : null);
              setRefused("");
            }}
            give={(key) => give(binding, key)}
          />
        ))}
      </ul>
    </>
  );
}

interface KeyRowProps {
  readonly binding: Binding;
  readonly asked: boolean;
  readonly ask: (on: boolean) => void;
  readonly give: (key: string | null) => void;
}

const passing: ReadonlySet<string> = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

function KeyRow({ binding, asked, ask, give }: KeyRowProps): ReactElement {
  const words = settingsText();
  const { names } = useKeysText();
  const map = useApp((app) => app.settings.keys);
  const name = names[binding.name];
  const [shown] = shownKeys(binding, map).split(" ");
  const press = (event: KeyboardEvent): void => {
    if (!asked || passing.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") ask(false);
    else give(pressedKey(event.nativeEvent));
  };
  return (
    <li>
      <span>{name}</span>
      {binding.name in map ? (
        <button
          type="button"
          className="icon-button"
          aria-label={words.back(name)}
          onClick={() => {
            const own = binding.keys?.find((key) => key.replace("Shift+", "").length === 1);
            if (own !== undefined) give(own);
          }}
        >
          <RotateCcw aria-hidden />
        </button>
      ) : null}
      <button
        type="button"
        className={asked ? "button small key-button asked" : "button small key-button"}
        aria-label={asked ? `${words.press} ${words.cancel}` : `${words.change(name)}, ${shown}`}
        onClick={() => ask(!asked)}
        onBlur={() => (asked ? ask(false) : undefined)}
        onKeyDown={press}
      >
        {asked ? words.press : <kbd>{shown}</kbd>}
      </button>
    </li>
  );
}
