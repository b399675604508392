/** The `?` sheet: the keys of the one table, and whether single ones act. */
import type { ReactElement } from "react";
import { changeSettings, showDialog } from "../app-actions.ts";
import { Modal } from "../controls/modal.tsx";
import { shownKeys } from "../key-map.ts";
import { type Binding, bindings } from "../keyboard.ts";
import { useKeysText } from "../text/keys-text.ts";
import { useText } from "../text/use-text.ts";
import { useApp } from "../use-app.ts";

const groups = ["playback", "job", "graph", "view"] as const;

export default function HelpDialog(): ReactElement {
  const { tagline } = useText();
  const keys = useKeysText();
  return (
    <Modal title={keys.title} description={keys.description} onClose={() => showDialog(null)} className="dialog sheet">
      <SingleKeys />
      <div className="shortcut-groups">
        {groups.map((group) => (
          <Shortcuts key={group} title={keys.groups[group]} rows={bindings.filter((each) => each.group === group)} />
        ))}
      </div>
      <p className="about">
        <strong>{tagline}.</strong> {keys.about}
      </p>
    </Modal>
  );
}

/** For those whose speech input or tremor presses keys by chance (WCAG 2.1.4). */
function SingleKeys(): ReactElement {
  const keys = useKeysText();
  const on = useApp((app) => app.settings.singleKeys);
  return (
    <label className="check-row">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => changeSettings({ singleKeys: event.currentTarget.checked })}
      />
      <span>
        {keys.singleKeys}
        <span className="menu-item-note">{keys.singleKeysNote}</span>
      </span>
    </label>
  );
}

function Shortcuts({ title, rows }: { readonly title: string; readonly rows: readonly Binding[] }): ReactElement {
  const { names } = useKeysText();
  const map = useApp((app) => app.settings.keys);
  return (
    <section>
      <h3 className="small-title">{title}</h3>
      <dl className="shortcuts">
        {rows.map((binding) => (
          <div key={binding.name}>
            <dt>{names[binding.name]}</dt>
            <dd>
              {shownKeys(binding, map)
                .split(" ")
                .map((key) => (key === "…" ? <span key={key}>…</span> : <kbd key={key}>{key}</kbd>))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
