import type { ReactElement } from "react";
import { showDialog } from "../app-actions.ts";
import { Modal } from "../controls/modal.tsx";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";

type Row = readonly [keys: string, what: keyof Text["help"]["keys"]];

const playback: readonly Row[] = [
  ["Space V", "playPause"],
  [". ,", "event"],
  ["> <", "phase"],
  ["N", "checkpoint"],
  ["X Shift+X", "failure"],
  ["[ ]", "speed"],
  ["Home End", "ends"],
];
const job: readonly Row[] = [
  ["F Shift+F10", "fail"],
  ["K", "sweep"],
  ["M", "compare"],
  ["G", "guarantees"],
  ["T", "timeouts"],
  ["J", "configuration"],
  ["C", "checkpointNow"],
  ["S", "savepointMenu"],
  ["U Ctrl+Z", "undo"],
  ["Alt+1 … Alt+9", "branch"],
  ["↑ ↓ ← →", "walk"],
  ["W", "why"],
];
const view: readonly Row[] = [
  ["1 … 7", "dock"],
  ["E", "events"],
  ["?", "help"],
  ["Esc", "close"],
];

export default function HelpDialog(): ReactElement {
  const { help, tagline } = useText();
  return (
    <Modal title={help.title} description={help.description} onClose={() => showDialog(null)}>
      <div className="shortcut-groups">
        <Shortcuts title={help.groups.playback} rows={playback} />
        <Shortcuts title={help.groups.job} rows={job} />
        <Shortcuts title={help.groups.view} rows={view} />
      </div>
      <p className="about">
        <strong>{tagline}.</strong> {help.about}
      </p>
    </Modal>
  );
}

function Shortcuts({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }): ReactElement {
  const { help } = useText();
  return (
    <section>
      <h3 className="small-title">{title}</h3>
      <dl className="shortcuts">
        {rows.map(([keys, what]) => (
          <div key={what}>
            <dt>{help.keys[what]}</dt>
            <dd>
              {keys.split(" ").map((key) => (key === "…" ? <span key={key}>…</span> : <kbd key={key}>{key}</kbd>))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
