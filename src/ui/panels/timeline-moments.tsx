/** Faults and forks on the timeline. Those that would lie on one another are one mark. */
import { GitBranch, Zap } from "lucide-react";
import { type ReactElement, useContext } from "react";
import { at } from "../../base/assert.ts";
import { changeSettings } from "../app-actions.ts";
import { nameOfBranch } from "../branches.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { faultName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import type { Session } from "../store.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { TARGET, TrackWidth } from "../track-width.ts";

interface Moment {
  readonly kind: "fault" | "fork";
  readonly step: number;
  readonly left: number;
  readonly label: string;
  readonly go: (runs: boolean) => void;
}

interface TimelineMomentsProps {
  readonly session: Session;
  readonly marks: TimelineMarks;
}

export function TimelineMoments({ session, marks }: TimelineMomentsProps): ReactElement {
  const text = useText();
  const controller = useController();
  const track = useContext(TrackWidth);
  const apart = (TARGET / Math.max(1, track)) * marks.total;
  return (
    <>
      {grouped(momentsOf(session, marks, controller, text), apart).map((group) => (
        <Mark key={at(group, 0).step} group={group} total={marks.total} />
      ))}
    </>
  );
}

function Mark({ group, total }: { readonly group: readonly Moment[]; readonly total: number }): ReactElement {
  const first = at(group, 0);
  const Icon = first.kind === "fault" ? Zap : GitBranch;
  const label = group.map((moment) => moment.label).join("; ");
  const go = group.length === 1 ? first.go : (): void => changeSettings({ dock: "branches" });
  return (
    <button
      type="button"
      className={first.kind === "fault" ? "fault-mark" : "fault-mark fork"}
      style={{ left: `${(first.left / total) * 100}%` }}
      title={label}
      aria-label={label}
      onClick={({ shiftKey }) => go(shiftKey)}
    >
      <Icon aria-hidden />
      {group.length > 1 ? <span className="mark-count">{group.length}</span> : null}
    </button>
  );
}

function momentsOf(session: Session, marks: TimelineMarks, controller: Controller, text: Text): Moment[] {
  const { timeline } = text.panels;
  const faults = marks.faults.map(({ fault, graph, left }): Moment => {
    const label = timeline.fault(faultName(graph, fault, text), clockTime(fault.clock));
    return { kind: "fault", step: fault.step, left, label, go: goTo(controller, fault.step) };
  });
  const forks = marks.forks
    .filter(({ step }) => !marks.faults.some(({ fault }) => fault.step === step))
    .map(({ id, left, step }): Moment => {
      const { log } = at(session.branches, id).run;
      const label = timeline.fork(nameOfBranch(session, id), clockTime(step < log.length ? log.clock(step) : 0));
      return { kind: "fork", step, left, label, go: () => controller.switchBranch(id) };
    });
  return [...faults, ...forks].sort((a, b) => a.left - b.left);
}

const goTo =
  (controller: Controller, step: number) =>
  (runs: boolean): void =>
    runs ? controller.player.runTo(step) : controller.goTo(step);

/** Runs of moments that lie nearer to the run's first than `apart`. */
function grouped(moments: readonly Moment[], apart: number): Moment[][] {
  const groups: Moment[][] = [];
  for (const moment of moments) {
    const last = groups.at(-1);
    if (last !== undefined && moment.left - at(last, 0).left < apart) last.push(moment);
    else groups.push([moment]);
  }
  return groups;
}
