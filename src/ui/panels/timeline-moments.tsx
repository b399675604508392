/** Faults, planned or not, and forks on the timeline. Those that would lie on one another are one mark. */
import { Diamond, GitBranch, Zap } from "lucide-react";
import { type ReactElement, useContext, useState } from "react";
import { later } from "../later.tsx";
import { at } from "../../base/assert.ts";
import { changeSettings } from "../app-actions.ts";
import { nameOfBranch } from "../branches.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { faultName } from "../fault-name.ts";
import { plannedName } from "../faults/planned-name.ts";
import { clockTime } from "../format.ts";
import type { Session } from "../store.ts";
import type { Text } from "../text/en.ts";
import type { enPlan } from "../text/en-plan.ts";
import { usePlanText } from "../text/plan-text.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { TARGET, TrackWidth } from "../track-width.ts";

const PlannedEditor = later(() => import("../faults/planned-editor.tsx"), { failed: ({ close }) => close() });

/** A planned fault that is looked at, where it has acted (`null`: it has not). */
interface Opened {
  readonly index: number;
  readonly step: number | null;
}

interface Moment {
  /** `planned`: it stands in the scenario; it can be moved and taken out. */
  readonly kind: "fault" | "fork" | "planned";
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
  const words = usePlanText();
  const track = useContext(TrackWidth);
  const [opened, open] = useState<Opened | null>(null);
  const apart = (TARGET / Math.max(1, track)) * marks.total;
  const planned = plannedOf(session, marks, text, words, open);
  const moments = [...planned, ...momentsOf(session, marks, controller, text)].sort((a, b) => a.left - b.left);
  return (
    <>
      {grouped(moments, apart).map((group) => (
        <Mark key={`${at(group, 0).kind} ${at(group, 0).label}`} group={group} total={marks.total} />
      ))}
      {opened === null || opened.index >= session.scenario.faults.length ? null : (
        <PlannedEditor key={opened.index} session={session} {...opened} close={() => open(null)} />
      )}
    </>
  );
}

const icons = { fault: Zap, fork: GitBranch, planned: Diamond } as const;

function Mark({ group, total }: { readonly group: readonly Moment[]; readonly total: number }): ReactElement {
  const first = at(group, 0);
  const Icon = icons[first.kind];
  const label = group.map((moment) => moment.label).join("; ");
  const go = group.length === 1 ? first.go : (): void => changeSettings({ dock: "branches" });
  return (
    <button
      type="button"
      className={`fault-mark ${first.kind}`}
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
  const faults = marks.faults
    .filter(({ fault }) => fault.fault >= session.scenario.faults.length)
    .map(({ fault, graph, left }): Moment => {
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
  return [...faults, ...forks];
}

/** The scenario's faults, at each place where one has acted; one that has not stands at its time, or at the end. */
function plannedOf(
  { scenario }: Session,
  { faults, total, placeOf }: TimelineMarks,
  text: Text,
  words: typeof enPlan,
  open: (opened: Opened) => void,
): Moment[] {
  return scenario.faults.flatMap((fault, index): Moment[] => {
    const name = plannedName(fault, text, words);
    const mark = (step: number | null, left: number, label: string): Moment => ({
      kind: "planned",
      step: step ?? -1,
      left,
      label,
      go: () => open({ index, step }),
    });
    const acted = faults.filter((each) => each.fault.fault === index);
    if (acted.length === 0) {
      const left = fault.at.kind === "time" ? Math.min(placeOf(fault.at.time), total) : total;
      return [mark(null, left, words.waiting(name))];
    }
    return acted.map(({ fault: { step, clock }, left }) => mark(step, left, words.acted(name, clockTime(clock))));
  });
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
