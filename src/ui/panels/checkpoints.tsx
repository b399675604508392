/** The checkpoints so far in Flink's columns and order; each row opens on its subtasks. */
import { ChevronDown, ChevronRight, Flag } from "lucide-react";
import { type ReactElement, useState } from "react";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { CheckpointView } from "../../projection/views.ts";
import { checkpointLooks } from "../../view/machines/presentations.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { CheckpointFlag } from "../controls/checkpoint-flag.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { StateChip } from "../controls/state-chip.tsx";
import { byteSize, clockTime, duration, percent } from "../format.ts";
import { useText } from "../text/use-text.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { CheckpointSubtasks } from "./checkpoint-subtasks.tsx";

export default function Checkpoints(): ReactElement | null {
  const moment = useMoment();
  const { checkpoints } = useText().panels;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  if (moment === null) return null;
  const list = [...moment.view.checkpoints].reverse();
  if (list.length === 0) return <Empty moment={moment} />;
  const toggle = (id: number): void =>
    setOpen((before) =>
      before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]),
    );
  return (
    <div className="checkpoints">
      <Counts list={list} />
      <table className="table">
        <caption className="visually-hidden">{checkpoints.caption}</caption>
        <thead>
          <tr>
            {Object.values(checkpoints.columns).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map((checkpoint) => (
            <Row
              key={checkpoint.id}
              checkpoint={checkpoint}
              moment={moment}
              open={open.has(checkpoint.id)}
              toggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Counts({ list }: { readonly list: readonly CheckpointView[] }): ReactElement {
  const { checkpoints } = useText().panels;
  const count = (...states: readonly CheckpointView["state"][]): number =>
    list.filter(({ state }) => states.includes(state)).length;
  return (
    <p className="panel-bar muted">
      {checkpoints.counts(
        list.length,
        count("PENDING", "FINALIZING"),
        count("COMPLETED", "SUBSUMED"),
        count("ABORTED"),
      )}
    </p>
  );
}

interface RowProps {
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
  readonly open: boolean;
  readonly toggle: (id: number) => void;
}

function Row({ checkpoint, moment, open, toggle }: RowProps): ReactElement {
  const text = useText();
  const { checkpoints } = text.panels;
  const { id, triggeredAt, latestAckAt, endedAt, bytes, parts, acknowledged } = checkpoint;
  const time = (clock: number): string => (clock < 0 ? text.common.none : clockTime(clock));
  const until = endedAt >= 0 ? endedAt : moment.view.clock;
  return (
    <>
      <tr data-checkpoint={id}>
        <td>
          <span className="expand-cell">
            <IconButton label={checkpoints.expand(id)} aria-expanded={open} onClick={() => toggle(id)}>
              {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            </IconButton>
            <button
              type="button"
              className="link-button plain"
              onClick={() => select({ kind: "checkpoint", id })}
              aria-label={text.stageText.checkpoint(id, false)}
            >
              <CheckpointFlag id={id} />
            </button>
          </span>
        </td>
        <td>
          <Status checkpoint={checkpoint} />
        </td>
        <td>{`${acknowledged}/${parts.length}`}</td>
        <td>{time(triggeredAt)}</td>
        <td>{time(latestAckAt)}</td>
        <td>{duration(until - triggeredAt)}</td>
        <td>{byteSize(bytes)}</td>
        <td>0 B (0 B)</td>
      </tr>
      {open ? (
        <tr className="subtask-rows">
          <td colSpan={Object.keys(checkpoints.columns).length}>
            <CheckpointSubtasks checkpoint={checkpoint} moment={moment} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Status({ checkpoint }: { readonly checkpoint: CheckpointView }): ReactElement {
  const text = useText();
  const { checkpoints } = text.panels;
  const { state, acknowledged, parts, reason } = checkpoint;
  const pending = state === "PENDING" || state === "FINALIZING";
  const label = pending
    ? `${checkpoints.statuses[state]} (${percent(acknowledged, parts.length)})`
    : checkpoints.statuses[state];
  return (
    <>
      <StateChip look={checkpointLooks[state]} label={label} />
      {state === "SUBSUMED" ? <span className="tag">{checkpoints.subsumed}</span> : null}
      {reason === null ? null : <span className="failure-note">{text.stageText.reason(reason)}</span>}
    </>
  );
}

/** Says when the first one comes, and lets it come now. */
function Empty({ moment }: { readonly moment: Moment }): ReactElement {
  const { checkpoints } = useText().panels;
  const controller = useController();
  const first = firstTrigger(moment.log);
  return (
    <div className="empty">
      <p>
        {checkpoints.empty} {first === null ? checkpoints.off : checkpoints.firstAt(clockTime(moment.log.clock(first)))}
      </p>
      {first === null ? null : (
        <button type="button" className="button small" onClick={() => controller.goTo(first)}>
          <Flag aria-hidden />
          {checkpoints.goThere}
        </button>
      )}
    </div>
  );
}

function firstTrigger(log: EventLog): number | null {
  for (let step = 0; step < log.length; step++) if (log.type(step) === EventNumber.CheckpointTriggered) return step;
  return null;
}
