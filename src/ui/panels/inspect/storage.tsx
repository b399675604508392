import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { type StoredSnapshot, contentsOf, isSavepoint, ownerOf } from "../../../projection/shelf.ts";
import { type Directory, storedFilesOf } from "../../../projection/stored-files.ts";
import { checkpointDirectory, jobIds } from "../../../scenario/checkpoint-path.ts";
import { checkpointLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { useController } from "../../controller-context.ts";
import { command } from "../../fault-item.ts";
import { byteSize } from "../../format.ts";
import { snapshotName } from "../../snapshot-name.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useRestoreText } from "../../text/restore-text.ts";
import { useText } from "../../text/use-text.ts";
import { type Moment, storageIsDown } from "../../use-view.ts";

/** What lies there: what is being written, then all that a job could be started from, with its path and whose it is. */
export function StorageFields({ moment }: { readonly moment: Moment }): ReactElement {
  const text = useText();
  const words = useInspectorText();
  const shelf = useRestoreText().shelf;
  const { fields, empty } = text.panels.inspector;
  const { view, scenario } = moment;
  const underWay = view.checkpoints.filter(({ state }) => state === "PENDING" || state === "FINALIZING");
  const there = moment.shelf.filter(({ deletedAt }) => deletedAt < 0).toReversed();
  const inMemory = view.checkpoints.filter(
    ({ id, state }) => state === "COMPLETED" && !there.some(({ checkpoint }) => checkpoint === id),
  );
  return (
    <Fields>
      <Field name={words.fields.availability}>
        <Availability moment={moment} />
      </Field>
      <Field name={words.fields.directory}>
        {scenario.config.state.dir === null ? (
          shelf.inMemory
        ) : (
          <span className="mono">{scenario.config.state.dir}</span>
        )}
      </Field>
      <Field name={fields.stored}>
        {underWay.length + there.length + inMemory.length === 0 ? (
          empty
        ) : (
          <ul className="list">
            {[...underWay, ...inMemory].map(({ id, state, bytes }) => (
              <li key={id}>
                <ElementLink element={{ kind: "checkpoint", id }} name={`chk-${id}`} />{" "}
                <StateChip look={checkpointLooks[state]} label={text.stageText.checkpointState(state)} />{" "}
                <span className="muted">{byteSize(bytes)}</span>
              </li>
            ))}
            {there.map((entry) => (
              <Stored key={entry.file} entry={entry} moment={moment} />
            ))}
          </ul>
        )}
      </Field>
      {scenario.config.state.dir === null ? null : <Tree moment={moment} />}
    </Fields>
  );
}

/** A switch: a run begins beside this one, in which storage is gone until it is switched on again (or is there again). */
function Availability({ moment }: { readonly moment: Moment }): ReactElement {
  const words = useInspectorText().available;
  const controller = useController();
  const down = storageIsDown(moment.view);
  const turn = (): void =>
    controller.inject(command(down ? "storage-up" : "storage-down", null, { what: "checkpoints" }));
  return (
    <>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={!down}
        aria-label={words.turn}
        onClick={turn}
      >
        <i aria-hidden />
      </button>{" "}
      {down ? words.down : words.up}
      <p className="muted">{down ? words.turnUp : words.turnDown}</p>
    </>
  );
}

/** The directories of each job's checkpoints: `shared` and `taskowned`, and one for each checkpoint. */
function Tree({ moment }: { readonly moment: Moment }): ReactElement {
  const words = useInspectorText();
  const { view, log, step } = moment;
  const files = storedFilesOf(log);
  const directories = files.at(step);
  const jobs = [...view.past.map(({ shared }) => shared), view.shared];
  const ids = jobIds(files.submittedBy.map((fault) => view.shared.commands[fault]));
  return (
    <>
      {jobs.map(({ submission, scenario }) => (
        <Field key={submission} name={words.filesOf(submission + 1)}>
          <p className="mono muted">{checkpointDirectory(scenario.config.state, at(ids, submission))}</p>
          <ul className="list mono">
            {directories
              .filter((directory) => directory.submission === submission && directory.checkpoint !== null)
              .map((directory) => (
                <DirectoryLine key={directory.checkpoint} directory={directory} moment={moment} />
              ))}
            <li>
              shared{" "}
              <span className="muted">
                {words.files(directories.find((each) => each.submission === submission && each.checkpoint === null))}
              </span>
            </li>
            <li>
              taskowned <span className="muted">{words.files(undefined)}</span>
            </li>
          </ul>
        </Field>
      ))}
    </>
  );
}

/** A snapshot that a job could be started from: its name, whose it is, its size, its path. */
function Stored({ entry, moment }: { readonly entry: StoredSnapshot; readonly moment: Moment }): ReactElement {
  const { shelf } = useRestoreText();
  const { view } = moment;
  const name = snapshotName(entry);
  return (
    <li>
      {entry.submission === view.shared.submission ? (
        <ElementLink element={{ kind: "checkpoint", id: entry.checkpoint }} name={name} />
      ) : (
        name
      )}{" "}
      <span className="muted">
        {shelf.owner(ownerOf(entry))}, {byteSize(contentsOf(entry, view)?.snapshot.fullBytes ?? 0)}
      </span>
      {entry.damage === null ? null : <p className="failure-note">{shelf.damage(entry.damage)}</p>}
      <p className="mono muted">{entry.path}</p>
    </li>
  );
}

/** A checkpoint's own, or a savepoint's, which lies elsewhere. */
function DirectoryLine({
  directory,
  moment,
}: {
  readonly directory: Directory;
  readonly moment: Moment;
}): ReactElement {
  const words = useInspectorText();
  const { submission, checkpoint } = directory;
  const stored = moment.shelf.find((entry) => entry.submission === submission && entry.checkpoint === checkpoint);
  const taken = submission === moment.view.shared.submission ? moment.view : moment.view.past[submission];
  const savepoint = taken?.checkpoints.find(({ id }) => id === checkpoint)?.savepoint ?? null;
  const name = savepoint?.path ?? (stored !== undefined && isSavepoint(stored) ? stored.path : `chk-${checkpoint}`);
  return (
    <li>
      {name} <span className="muted">{words.files(directory)}</span>
    </li>
  );
}
