/** Settings as a file, and all of them as they came. */
import { Download, FileJson, RotateCcw } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import type { Problem } from "../../base/result.ts";
import { changeSettings } from "../app-actions.ts";
import { save } from "../save-run.ts";
import { type Settings, defaultSettings } from "../settings.ts";
import { appStore } from "../store.ts";
import { settingsText } from "../text/settings-text.ts";
import { readSettings, settingsFile } from "./settings-file.ts";

/** What the last of these actions came to. */
interface Told {
  readonly words: string;
  readonly problems: readonly Problem[];
  /** What a reset can be taken back to. */
  readonly before: Settings | null;
}

const nothing: Told = { words: "", problems: [], before: null };

export function SettingsFile(): ReactElement {
  const words = settingsText();
  const [told, setTold] = useState(nothing);
  const input = useRef<HTMLInputElement>(null);
  const reset = (): void => {
    const before = appStore.getState().settings;
    // What somebody has seen stays seen.
    const { visited, hintSeen } = before;
    changeSettings({ ...defaultSettings, visited, hintSeen });
    setTold({ words: words.wasReset, problems: [], before });
  };
  return (
    <fieldset className="settings-group">
      <legend className="small-title">{words.groups.file}</legend>
      {canBeKept() ? null : <p className="settings-refused">{words.notKept}</p>}
      <p className="menu-item-note">{words.fileNote}</p>
      <div className="settings-actions">
        <button type="button" className="button small" onClick={saveSettingsFile}>
          <Download aria-hidden />
          {words.save}
        </button>
        <button type="button" className="button small" onClick={() => input.current?.click()}>
          <FileJson aria-hidden />
          {words.read}
        </button>
        <button type="button" className="button small" onClick={reset}>
          <RotateCcw aria-hidden />
          {words.reset}
        </button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        data-testid="settings-file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) void takeOver(file).then(setTold);
          event.currentTarget.value = "";
        }}
      />
      <Outcome told={told} done={() => setTold(nothing)} />
    </fieldset>
  );
}

/** Does this browser keep anything (E-26)? */
function canBeKept(): boolean {
  try {
    localStorage.setItem(PROBE, "");
    localStorage.removeItem(PROBE);
    return true;
  } catch {
    return false;
  }
}

const PROBE = "barrierscope.probe";

function saveSettingsFile(): void {
  save("barrierscope.settings.json", "application/json", [settingsFile(appStore.getState().settings)]);
}

async function takeOver(file: File): Promise<Told> {
  const words = settingsText();
  const read = await file.text().then(readSettings, () => null);
  if (read === null) return { ...nothing, words: words.unreadable };
  if (!read.ok) return { ...nothing, words: words.notRead(file.name), problems: read.problems };
  changeSettings(read.value);
  return { ...nothing, words: words.wasRead(Object.keys(read.value).length) };
}

function Outcome({ told, done }: { readonly told: Told; readonly done: () => void }): ReactElement {
  const words = settingsText();
  const { before, problems } = told;
  return (
    <div className="settings-told">
      <output>{told.words}</output>
      {before === null ? null : (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            changeSettings(before);
            done();
          }}
        >
          {words.undoReset}
        </button>
      )}
      {problems.length === 0 ? null : (
        <ul className="problems">
          {problems.map(({ path, value, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code>
              {value === "" ? "" : ` = ${value}`}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
