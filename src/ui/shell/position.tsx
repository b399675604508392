/** Simulated time and event number of the cursor. */
import { type ReactElement, useEffect, useRef } from "react";
import { clockTime } from "../format.ts";
import { playhead } from "../playhead.ts";
import { branchOf, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { currentText, useText } from "../text/use-text.ts";

export function Position(): ReactElement {
  const { transport } = useText();
  const step = useApp((app) => app.step);
  const stopped = useApp((app) => app.stopped);
  const last = useApp((app) => Math.max(0, (branchOf(app)?.length ?? 1) - 1));
  return (
    <div className="position">
      <RunningTime />
      <span className="position-step">{transport.step(step, last)}</span>
      <Instant step={step} />
      {stopped?.step === step ? (
        <output className="position-stop" title={stopped.words}>
          {stopped.words}
        </output>
      ) : null}
    </div>
  );
}

/** Entries of one instant are told apart: which of them the cursor is at. */
function Instant({ step }: { readonly step: number }): ReactElement {
  const { transport } = useText();
  const branch = useApp(branchOf);
  if (branch === null || step >= branch.length) return <span className="position-instant" />;
  const { log } = branch.run;
  const clock = log.clock(step);
  const first = log.firstAt(clock);
  const count = Math.min(log.firstAt(clock + 1), branch.length) - first;
  return <span className="position-instant">{count > 1 ? transport.atInstant(step - first + 1, count) : ""}</span>;
}

/** Changes with every frame: written past React. */
function RunningTime(): ReactElement {
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (): void => {
      const branch = branchOf(appStore.getState());
      if (time.current === null || branch === null) return;
      const { clock } = branch.run;
      const { presentation } = playhead.getState();
      time.current.textContent = clockTime(clock.momentAt(presentation).clock);
      const fold = clock.foldAt(presentation);
      time.current.dataset["fold"] = fold === null ? "" : currentText().transport.fold(fold.simulated);
    };
    show();
    const stop = [playhead.subscribe(show), appStore.subscribe((app) => branchOf(app), show)];
    return () => stop.forEach((each) => each());
  }, []);
  return <span ref={time} className="position-time" data-testid="time" />;
}
