/** Everything that is remembered and can be chosen. Each choice acts at once. */
import "../styles/settings.css";
import { type ReactElement, useId } from "react";
import { changeSettings, showDialog } from "../app-actions.ts";
import { isHighContrast } from "../chosen-colours.ts";
import { Modal } from "../controls/modal.tsx";
import { motions, narrations, numberFormats, taskColours, themes } from "../setting-choices.ts";
import type { Settings } from "../settings.ts";
import { settingsText } from "../text/settings-text.ts";
import { useApp } from "../use-app.ts";
import { SettingsFile } from "./file.tsx";
import { Keys } from "./keys.tsx";
import { Switch } from "./switch.tsx";

export default function SettingsDialog(): ReactElement {
  const words = settingsText();
  return (
    <Modal
      title={words.title}
      description={words.description}
      className="dialog settings"
      onClose={() => showDialog(null)}
    >
      <Looks />
      <Time />
      <Telling />
      <Keys />
      <SettingsFile />
    </Modal>
  );
}

function Looks(): ReactElement {
  const words = settingsText();
  const settings = useApp((app) => app.settings);
  const contrast = isHighContrast(settings);
  return (
    <fieldset className="settings-group">
      <legend className="small-title">{words.groups.looks}</legend>
      <OneOf name="theme" label={words.theme} values={themes} nameOf={(value) => words.themes[value]} />
      <OneOf
        name="taskColours"
        label={words.taskColours}
        values={taskColours}
        nameOf={(value) => words.taskColoursOf[value]}
        disabled={contrast}
        note={contrast ? words.contrastNote : undefined}
      />
      <OneOf name="numbers" label={words.numbers} values={numberFormats} nameOf={(value) => value} />
    </fieldset>
  );
}

function Time(): ReactElement {
  const words = settingsText();
  const motion = useApp((app) => app.settings.motion);
  return (
    <fieldset className="settings-group">
      <legend className="small-title">{words.groups.time}</legend>
      <OneOf
        name="motion"
        label={words.motion}
        values={motions}
        nameOf={(value) => words.motions[value]}
        note={words.motionNotes[motion]}
      />
      <Switch name="foldIdle" label={words.foldIdle} note={words.foldIdleNote} />
      <Switch name="outcomeStrip" label={words.outcomeStrip} note={words.outcomeStripNote} />
    </fieldset>
  );
}

function Telling(): ReactElement {
  const words = settingsText();
  const narration = useApp((app) => app.settings.narration);
  return (
    <fieldset className="settings-group">
      <legend className="small-title">{words.groups.telling}</legend>
      <OneOf
        name="narration"
        label={words.narration}
        values={narrations}
        nameOf={(value) => words.narrations[value]}
        note={words.narrationNotes[narration]}
      />
      <Switch name="liveRegion" label={words.liveRegion} note={words.liveRegionNote} />
    </fieldset>
  );
}

interface OneOfProps<K extends keyof Settings> {
  readonly name: K;
  readonly label: string;
  readonly values: readonly (Settings[K] & string)[];
  readonly nameOf: (value: Settings[K] & string) => string;
  readonly disabled?: boolean;
  readonly note?: string | undefined;
}

function OneOf<K extends keyof Settings>(props: OneOfProps<K>): ReactElement {
  const { name, label, values, nameOf, disabled = false, note } = props;
  const now = useApp((app) => app.settings[name]);
  const id = useId();
  return (
    <div className="settings-row">
      <div
        role="radiogroup"
        aria-labelledby={`${id}l`}
        aria-describedby={note === undefined ? undefined : `${id}n`}
        className="settings-choice"
      >
        <span id={`${id}l`} className="settings-label">
          {label}
        </span>
        <span className="segments">
          {values.map((value) => (
            <label key={value} className="segment">
              <input
                type="radio"
                name={id}
                checked={value === now}
                disabled={disabled}
                onChange={() => changeSettings({ [name]: value })}
              />
              <span>{nameOf(value)}</span>
            </label>
          ))}
        </span>
      </div>
      {note === undefined ? null : (
        <p id={`${id}n`} className="menu-item-note">
          {note}
        </p>
      )}
    </div>
  );
}
