import type { ReactElement } from "react";
import { changeSettings } from "../app-actions.ts";
import { useApp } from "../use-app.ts";

/** One of the settings that are on or off. */
interface SwitchProps {
  readonly name: "foldIdle" | "outcomeStrip" | "liveRegion" | "singleKeys";
  readonly label: string;
  readonly note: string;
}

export function Switch({ name, label, note }: SwitchProps): ReactElement {
  const on = useApp((app) => app.settings[name]);
  return (
    <label className="check-row">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => changeSettings({ [name]: event.currentTarget.checked })}
      />
      <span>
        {label}
        <span className="menu-item-note">{note}</span>
      </span>
    </label>
  );
}
