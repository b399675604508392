/** What a job is started from, and how. */
import type { ReactElement } from "react";
import { type StoredSnapshot, isShown } from "../../projection/shelf.ts";
import { claimModes } from "../../protocol/reasons.ts";
import { clockTime } from "../format.ts";
import { snapshotName } from "../snapshot-name.ts";
import { useRestoreText } from "../text/restore-text.ts";
import type { Moment } from "../use-view.ts";
import { type Order, snapshotIn } from "./order.ts";

interface OptionsProps {
  readonly order: Order;
  readonly set: (order: Order) => void;
  readonly moment: Moment;
}

export function Options({ order, set, moment }: OptionsProps): ReactElement {
  const words = useRestoreText();
  const { maxParallelism } = order.change;
  const path = snapshotIn(moment, order)?.path ?? null;
  return (
    <fieldset className="dry-run-options">
      <legend className="visually-hidden">{words.options}</legend>
      <label className="dry-run-option wide">
        <span>{words.snapshot}</span>
        <SnapshotSelect order={order} set={set} shelf={moment.shelf} />
        {path === null ? null : <code className="dry-run-path">{path}</code>}
      </label>
      <ClaimMode order={order} set={set} version={moment.scenario.flink} />
      <label className="dry-run-option">
        <span>{words.maxParallelism}</span>
        <input
          className="text-input"
          type="number"
          min={1}
          max={32768}
          placeholder={String(moment.scenario.job.maxParallelism ?? words.derived)}
          value={maxParallelism ?? ""}
          onChange={({ currentTarget: { value } }) =>
            set({ ...order, change: { ...order.change, maxParallelism: value === "" ? null : Number(value) } })
          }
        />
      </label>
      <label className="dry-run-check">
        <input
          type="checkbox"
          checked={order.allow}
          onChange={({ currentTarget }) => set({ ...order, allow: currentTarget.checked })}
        />
        <span>
          {words.allow}
          <span className="muted">{words.allowNote}</span>
        </span>
      </label>
    </fieldset>
  );
}

interface SelectProps {
  readonly order: Order;
  readonly set: (order: Order) => void;
}

function SnapshotSelect({
  order,
  set,
  shelf,
}: SelectProps & { readonly shelf: readonly StoredSnapshot[] }): ReactElement {
  const words = useRestoreText();
  return (
    <select
      value={order.snapshot ?? ""}
      onChange={({ currentTarget: { value } }) => set({ ...order, snapshot: value === "" ? null : Number(value) })}
    >
      {shelf
        .filter(isShown)
        .toReversed()
        .map((entry) => (
          <option key={entry.file} value={entry.file}>
            {words.snapshotOption(entry, snapshotName(entry), clockTime(entry.completedAt), entry.deletedAt >= 0)}
          </option>
        ))}
      <option value="">{words.noSnapshot}</option>
    </select>
  );
}

/** LEGACY is gone with Flink 2.0 (CP-171). */
function ClaimMode({ order, set, version }: SelectProps & { readonly version: string }): ReactElement {
  const words = useRestoreText();
  return (
    <label className="dry-run-option">
      <span>{words.claimMode}</span>
      <select
        value={order.claimMode}
        disabled={order.snapshot === null}
        aria-describedby="claim-mode-note"
        onChange={({ currentTarget: { value } }) => {
          const claimMode = claimModes.find((mode) => mode === value);
          if (claimMode !== undefined) set({ ...order, claimMode });
        }}
      >
        {claimModes
          .filter((mode) => mode !== "LEGACY" || version.startsWith("1."))
          .map((mode) => (
            <option key={mode}>{mode}</option>
          ))}
      </select>
      <span id="claim-mode-note" className="muted">
        {words.claimModes[order.claimMode]}
      </span>
    </label>
  );
}
