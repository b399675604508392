/** The position in the run: a slider over presentation time, with checkpoints, failures and forks marked on its track. */
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef } from "react";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { dense } from "../dense.ts";
import { playhead } from "../playhead.ts";
import { stepBy } from "../steps.ts";
import { timelineMarks } from "../timeline-marks.ts";
import { type BranchRun, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useTrackWidth } from "../track-width.ts";
import { FoldMarks } from "./fold-marks.tsx";

export function Scrubber(): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const branch = useApp(branchOf);
  const step = useApp((app) => app.step);
  const slider = useRef<HTMLInputElement>(null);
  const fill = useRef<HTMLDivElement>(null);
  const total = branch?.run.clock.total ?? 1;
  const [width, track] = useTrackWidth<HTMLDivElement>(".scrubber-track");

  useEffect(() => {
    const follow = (): void => {
      const { presentation } = playhead.getState();
      if (slider.current !== null) slider.current.value = String(presentation);
      if (fill.current !== null) fill.current.style.transform = `scaleX(${total === 0 ? 0 : presentation / total})`;
    };
    follow();
    return playhead.subscribe(follow);
  }, [total]);

  const last = Math.max(0, (branch?.length ?? 1) - 1);
  const time = branch === null || branch.length === 0 ? "" : clockTime(branch.run.log.clock(Math.min(step, last)));
  return (
    <div ref={track} className="scrubber">
      <div className="scrubber-track" aria-hidden>
        <div ref={fill} className="scrubber-fill" />
        {branch === null ? null : <Marks branch={branch} total={total} width={width} />}
      </div>
      <input
        ref={slider}
        type="range"
        min={0}
        max={total}
        step="any"
        defaultValue={0}
        disabled={branch === null}
        aria-label={transport.scrubber}
        aria-valuetext={transport.scrubberValue(time, step, last)}
        onChange={(event) => controller.player.seekPresentation(Number(event.currentTarget.value))}
        onKeyDown={(event) => keyDown(event, controller)}
      />
    </div>
  );
}

function keyDown(event: KeyboardEvent, controller: ReturnType<typeof useController>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const act = sliderKeys(controller)[event.key];
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function sliderKeys(controller: ReturnType<typeof useController>): { readonly [key: string]: () => void } {
  return {
    ArrowRight: () => stepBy(controller, "event", 1),
    ArrowUp: () => stepBy(controller, "event", 1),
    ArrowLeft: () => stepBy(controller, "event", -1),
    ArrowDown: () => stepBy(controller, "event", -1),
    PageUp: () => stepBy(controller, "phase", 1),
    PageDown: () => stepBy(controller, "phase", -1),
    Home: () => controller.toStart(),
    End: () => controller.toEnd(),
  };
}

const statuses = { pending: "pending", completed: "completed", aborted: "failed" } as const;

interface MarksProps {
  readonly branch: BranchRun;
  readonly total: number;
  readonly width: number;
}

function Marks({ branch, total, width }: MarksProps): ReactElement | null {
  const session = useApp((app) => app.session);
  const loop = useApp((app) => app.loop);
  const { clock } = branch.run;
  const marks = useMemo(() => (session === null ? null : timelineMarks(branch, session.branches)), [session, branch]);
  const checkpoints = useMemo(() => dense(marks?.checkpoints ?? [], total, ({ of }) => of.status), [marks, total]);
  if (marks === null) return null;
  const place = (from: number): string => `${(from / total) * 100}%`;
  return (
    <>
      <FoldMarks folds={marks.folds} total={total} width={width} />
      {checkpoints.map(({ marks: [first, ...more], left, right }) =>
        first === undefined ? null : (
          <i
            key={`c${first.of.id}`}
            className={`mark-checkpoint ${statuses[first.of.status]}`}
            data-epoch={more.length > 0 ? undefined : first.of.id & 3}
            style={{ left: place(left), width: place(right - left) }}
          />
        ),
      )}
      {marks.faults.map(({ fault: { step }, left }) => (
        <i key={`f${step}`} className="mark-failure" style={{ left: place(left) }} />
      ))}
      {loop === null ? null : (
        <i
          className="mark-loop"
          style={{
            left: place(clock.presentationOf(loop.from)),
            right: `${100 - (clock.presentationOf(loop.to) / total) * 100}%`,
          }}
        />
      )}
      {marks.forks.map(({ id, left }) => (
        <i key={`b${id}`} className="mark-fork" style={{ left: place(left) }} />
      ))}
    </>
  );
}
