/** The position in the run: a slider over presentation time, with checkpoints, failures and forks marked on its track. */
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef } from "react";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { playhead } from "../playhead.ts";
import { type ScrubberMarks, scrubberMarks } from "../scrubber-marks.ts";
import { type BranchRun, branchOf, useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export function Scrubber(): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const branch = useApp(branchOf);
  const step = useApp((app) => app.step);
  const slider = useRef<HTMLInputElement>(null);
  const fill = useRef<HTMLDivElement>(null);
  const total = branch?.run.clock.total ?? 1;

  useEffect(() => {
    const follow = (): void => {
      const { presentation } = playhead.getState();
      if (slider.current !== null) slider.current.value = String(presentation);
      if (fill.current !== null) fill.current.style.transform = `scaleX(${total === 0 ? 0 : presentation / total})`;
    };
    follow();
    return playhead.subscribe(follow);
  }, [total]);

  const keys = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const act = sliderKeys(controller)[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const last = Math.max(0, (branch?.length ?? 1) - 1);
  const time = branch === null || branch.length === 0 ? "" : clockTime(branch.run.log.clock(Math.min(step, last)));
  return (
    <div className="scrubber">
      <div className="scrubber-track" aria-hidden>
        <div ref={fill} className="scrubber-fill" />
        {branch === null ? null : <Marks branch={branch} total={total} />}
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
        onKeyDown={keys}
      />
    </div>
  );
}

function sliderKeys(controller: ReturnType<typeof useController>): { readonly [key: string]: () => void } {
  return {
    ArrowRight: () => controller.step("event", 1),
    ArrowUp: () => controller.step("event", 1),
    ArrowLeft: () => controller.step("event", -1),
    ArrowDown: () => controller.step("event", -1),
    PageUp: () => controller.step("phase", 1),
    PageDown: () => controller.step("phase", -1),
    Home: () => controller.toStart(),
    End: () => controller.toEnd(),
  };
}

function Marks({ branch, total }: { readonly branch: BranchRun; readonly total: number }): ReactElement {
  const branches = useApp((app) => app.session?.branches);
  const marks = useMemo((): ScrubberMarks => scrubberMarks(branch, branches ?? []), [branch, branches]);
  const place = (from: number): string => `${(from / total) * 100}%`;
  return (
    <>
      {marks.checkpoints.map(({ id, from, to, status }) => (
        <i key={`c${id}`} className={`mark-checkpoint ${status}`} data-epoch={id & 3} style={{ left: place(from), width: place(to - from) }} />
      ))}
      {marks.failures.map(({ step, from }) => (
        <i key={`f${step}`} className="mark-failure" style={{ left: place(from) }} />
      ))}
      {marks.forks.map(({ id, from }) => (
        <i key={`b${id}`} className="mark-fork" style={{ left: place(from) }} />
      ))}
    </>
  );
}
