/** A link to this moment, the run as a file, and the runs that were saved. */
import "../styles/sessions.css";
import { Copy, Download, FolderOpen, Trash2 } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { prettyJson } from "../pretty-json.ts";
import { save } from "../save-run.ts";
import { appStore } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";
import { openSaved } from "./begin.ts";
import { LONGEST_LINK, type Linked, linkOf } from "./address.ts";
import { documentOnScreen } from "./run-state.ts";
import { type SavedRun, deleteRun, kept } from "./saved.ts";
import { currentId, saveNow } from "./saver.ts";
import { Table } from "../controls/table.tsx";

export default function ShareDialog(): ReactElement {
  const words = sessionsText();
  return (
    <Modal
      title={words.title}
      description={words.description}
      className="dialog sessions"
      onClose={() => showDialog(null)}
    >
      <Part title={words.link} note={words.linkNote}>
        <MomentLink />
      </Part>
      <Part title={words.file} note={words.fileNote}>
        <button type="button" className="button" onClick={saveFile}>
          <Download aria-hidden />
          {words.save}
        </button>
      </Part>
      <Part title={words.saved} note={words.savedNote}>
        <SavedRuns />
      </Part>
    </Modal>
  );
}

function Part({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section className="sessions-part" aria-label={title}>
      <h3 className="small-title">{title}</h3>
      <p className="muted">{note}</p>
      {children}
    </section>
  );
}

function saveFile(): void {
  const app = appStore.getState();
  const document = documentOnScreen(app, true);
  if (document !== null && app.session !== null)
    save(`${app.session.scenario.id}.run.json`, "application/json", [prettyJson(document)]);
}

function MomentLink(): ReactElement {
  const words = sessionsText();
  const [linked, setLinked] = useState<Linked | null>(null);
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let gone = false;
    void linkOf(appStore.getState()).then((made) => {
      if (!gone) setLinked(made);
    });
    return () => {
      gone = true;
    };
  }, []);
  if (linked === null) return <p className="muted">{words.making}</p>;
  const { link, length, without } = linked;
  if (link === null) return <output>{words.tooLong(length, LONGEST_LINK)}</output>;
  const copy = (): void => {
    field.current?.select();
    navigator.clipboard.writeText(link).then(
      () => setSaid(words.copied),
      () => setSaid(words.notCopied),
    );
  };
  return (
    <div className="sessions-link">
      <input ref={field} className="text-input mono grow" readOnly aria-label={words.link} value={link} />
      <button type="button" className="button primary" onClick={copy}>
        <Copy aria-hidden />
        {words.copy}
      </button>
      <span className="muted">{words.characters(link.length)}</span>
      <output>{said}</output>
      {without.length === 0 ? null : <p className="muted">{words.shortened(without)}</p>}
    </div>
  );
}

function SavedRuns(): ReactElement {
  const words = sessionsText();
  // Before the list is read: what is on screen may belong to it.
  const [stores] = useState(saveNow);
  const [runs, setRuns] = useState(() => kept().runs);
  const remove = (id: string): void => {
    deleteRun(id);
    setRuns(kept().runs);
  };
  if (!stores) return <output>{words.noStorage}</output>;
  if (runs.length === 0) return <p>{words.none}</p>;
  return (
    <Table caption={words.saved} columns={words.columns}>
      {runs.map((run) => (
        <SavedRow key={run.id} run={run} remove={remove} />
      ))}
    </Table>
  );
}

function SavedRow({ run, remove }: { readonly run: SavedRun; readonly remove: (id: string) => void }): ReactElement {
  const words = sessionsText();
  const controller = useController();
  const name = words.run(run.title, run.document.forks?.length ?? 0);
  const isOpen = run.id === currentId();
  return (
    <tr aria-current={isOpen || undefined}>
      <td>{name}</td>
      <td>{new Date(run.seen).toLocaleString()}</td>
      <td>
        {isOpen ? (
          <span className="tag">{words.isOpen}</span>
        ) : (
          <button
            type="button"
            className="button small"
            aria-label={words.openOf(name)}
            onClick={() => openSaved(controller, run)}
          >
            <FolderOpen aria-hidden />
            {words.open}
          </button>
        )}
      </td>
      <td>
        <button
          type="button"
          className="icon-button"
          aria-label={words.remove(name)}
          disabled={isOpen}
          onClick={() => remove(run.id)}
        >
          <Trash2 aria-hidden />
        </button>
      </td>
    </tr>
  );
}
