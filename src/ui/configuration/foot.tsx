/**
 * What becomes of changed keys. Flink reads them as a job starts, so they act in a new run from its beginning, or in a branch
 * of this one in which the job is stopped here and starts anew from what it left.
 */
import { Play, RotateCcw, Undo2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import type { Controller } from "../controller.ts";
import type { Session } from "../store.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { useMoment } from "../use-view.ts";
import type { Checked, Draft } from "./draft.ts";
import { type Way, fromHere, waysOf } from "./from-here.ts";

interface FootProps {
  readonly session: Session;
  readonly changes: readonly string[];
  readonly draft: Draft;
  readonly state: Checked;
  readonly undo: (() => void) | null;
  readonly discard: () => void;
}

export function Foot({ session, changes, draft, state, undo, discard }: FootProps): ReactElement {
  const words = useConfigurationText();
  const controller = useController();
  const nothing = changes.length === 0;
  return (
    <div className="configuration-foot">
      <output className="configuration-changes">
        {words.changes(changes.length)}
        {nothing ? null : <span className="muted"> · {words.appliesWhen}</span>}
      </output>
      <button type="button" className="button small" disabled={undo === null} onClick={() => undo?.()}>
        <Undo2 aria-hidden />
        {words.undo}
      </button>
      <button type="button" className="button small" disabled={nothing} onClick={discard}>
        {words.discard}
      </button>
      <button
        type="button"
        className="button"
        disabled={nothing || state.scenario === null}
        onClick={() => runAgain(controller, state)}
      >
        <Play aria-hidden />
        {words.run}
      </button>
      <FromHere session={session} changes={changes} draft={draft} ready={state.scenario !== null} />
    </div>
  );
}

interface FromHereProps extends Pick<FootProps, "session" | "changes" | "draft"> {
  readonly ready: boolean;
}

/** How the job comes to its end here, and what the next one starts from. */
function FromHere({ session, changes, draft, ready }: FromHereProps): ReactElement | null {
  const words = useConfigurationText();
  const controller = useController();
  const moment = useMoment();
  const [chosen, choose] = useState<Way["name"] | null>(null);
  if (moment === null) return null;
  const ways = waysOf(moment);
  const way = ways.find(({ name }) => name === chosen) ?? ways.find(({ why }) => why === null);
  const read = way === undefined || changes.length === 0 ? null : fromHere(session, moment, way, draft, changes);
  const ofBroker = changes.some((key) => key.startsWith("broker:"));
  const refused = ofBroker ? "broker" : read?.ok === false ? "refused" : null;
  const said = changes.length === 0 || way === undefined ? null : (way.why ?? refused);
  return (
    <div className="configuration-from-here">
      <label>
        <span className="muted">{words.fromHere}</span>{" "}
        <span className="select">
          <select value={way?.name ?? ""} onChange={(event) => choose(event.currentTarget.value as Way["name"])}>
            {ways.map(({ name, why }) => (
              <option key={name} value={name} disabled={why !== null}>
                {words.ways[name]}
                {why === null ? "" : ` (${words.wayNot[why]})`}
              </option>
            ))}
          </select>
        </span>
      </label>
      <button
        type="button"
        className="button primary"
        title={words.forkHint}
        disabled={!ready || read?.ok !== true || said !== null}
        onClick={() => {
          if (read?.ok !== true) return;
          showDialog(null);
          controller.inject(read.value);
        }}
      >
        <RotateCcw aria-hidden />
        {words.fork}
      </button>
      {said === null ? null : (
        <p className="muted" aria-live="polite">
          {words.wayNot[said]}
        </p>
      )}
    </div>
  );
}

/** A new run, shown at the same moment. */
function runAgain(controller: Controller, { scenario, text }: Checked): void {
  if (scenario === null) return;
  showDialog(null);
  controller.open({ scenario, text, library: null }, { keepTime: true, play: false });
}
