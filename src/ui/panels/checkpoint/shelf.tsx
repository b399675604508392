/** What lies in storage that a job can be started from: whose it is, whether it can be used, and the way to do so. */
import type { ReactElement } from "react";
import { type StoredSnapshot, availability, contentsOf, isShown, ownerOf } from "../../../projection/shelf.ts";
import { askBefore } from "../../app-actions.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { byteSize, clockTime } from "../../format.ts";
import { snapshotName } from "../../snapshot-name.ts";
import { useRestoreText } from "../../text/restore-text.ts";
import { useText } from "../../text/use-text.ts";
import { type Moment, isOver } from "../../use-view.ts";
import { Table } from "../../controls/table.tsx";

export function ShelfTable({ moment }: { readonly moment: Moment }): ReactElement {
  const words = useRestoreText().shelf;
  const shown = moment.shelf.filter(isShown).toReversed();
  const { dir } = moment.scenario.config.state;
  return (
    <>
      {shown.length === 0 ? (
        <p className="empty">{words.empty}</p>
      ) : (
        <Table caption={words.caption} columns={words.columns} className="shelf">
          {shown.map((entry) => (
            <Row key={entry.file} entry={entry} moment={moment} />
          ))}
        </Table>
      )}
      {dir === null ? <p className="panel-bar muted">{words.inMemory}</p> : null}
      {shown.length < moment.shelf.length ? <p className="panel-bar muted">{words.subsumed}</p> : null}
    </>
  );
}

function Row({ entry, moment }: { readonly entry: StoredSnapshot; readonly moment: Moment }): ReactElement {
  const words = useRestoreText().shelf;
  const { common } = useText();
  const { view } = moment;
  const size = contentsOf(entry, view)?.snapshot.fullBytes;
  const name = snapshotName(entry);
  const over = isOver(view);
  return (
    <tr data-snapshot={name} className={entry.deletedAt < 0 ? undefined : "shelf-gone"}>
      <td>
        <CheckpointFlag id={entry.checkpoint} /> {name} <span className="muted">{words.job(entry.submission)}</span>
      </td>
      <td>
        <span className="shelf-use">
          {words.available(availability(entry, view), !over, clockTime(entry.deletedAt))}
          {entry.deletedAt >= 0 || !over ? null : <StartButton entry={entry} />}
        </span>
        {entry.damage === null || entry.damage === "all" ? null : (
          <span className="failure-note">{words.damage(entry.damage)}</span>
        )}
      </td>
      <td>
        {words.owner(ownerOf(entry))}
        {entry.holders.length > 1 ? <span className="tag">{words.claimed}</span> : null}
      </td>
      <td>{entry.format === null ? words.checkpointFormat : words.formats[entry.format]}</td>
      <td>{clockTime(entry.completedAt)}</td>
      <td>{size === undefined ? common.none : byteSize(size)}</td>
      <td className="mono">{entry.path}</td>
    </tr>
  );
}

/** Only where the job is over: two jobs never run at once. */
function StartButton({ entry }: { readonly entry: StoredSnapshot }): ReactElement {
  const words = useRestoreText().shelf;
  return (
    <button
      type="button"
      className="button small"
      aria-label={words.startOf(snapshotName(entry))}
      onClick={() =>
        askBefore({
          do: "restore",
          target: null,
          rpc: null,
          checkpoint: null,
          count: 1,
          for: null,
          from: entry.path,
          claimMode: "NO_CLAIM",
        })
      }
    >
      {words.start}
    </button>
  );
}
