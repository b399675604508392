/** What fails, buttons for whoever does not drag, and in words what the run comes to. */
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, GitBranch } from "lucide-react";
import type { ReactElement } from "react";
import type { Landing } from "../../scenario/exploration.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { useController } from "../controller-context.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { BranchRun } from "../store.ts";
import { useCrashText } from "../text/crash-text.ts";
import { useText } from "../text/use-text.ts";
import type { CrashDrag, CrashState } from "./crash-drag.ts";
import { outcomeOfLanding } from "./landing.ts";
import { phaseFrom } from "./phase-from.ts";

interface CrashBarProps {
  readonly branch: BranchRun;
  readonly drag: CrashDrag;
  readonly state: CrashState;
  readonly open: () => void;
}

export function CrashBar({ branch, drag, state, open }: CrashBarProps): ReactElement {
  const text = useText();
  const crash = useCrashText();
  const landing = state.landings.get(state.step);
  return (
    <div ref={inSight} className="crash-bar">
      <label className="select">
        <span className="visually-hidden">{crash.what}</span>
        <select value={state.chosen} onChange={(event) => drag.choose(Number(event.currentTarget.value))}>
          {state.commands.map((command, index) => (
            <option key={JSON.stringify(command)} value={index}>
              {commandName(command, text)}
            </option>
          ))}
        </select>
      </label>
      <Nudges branch={branch} drag={drag} state={state} />
      <p className="crash-said" data-step={landing === undefined ? undefined : state.step}>
        <span className="muted">
          {crash.after(clockTime(branch.run.log.clock(state.step)), sentenceOf(branch.run, state.step, text))}
        </span>{" "}
        {state.state === "failed" ? (
          <span role="alert">{crash.failed(state.message)}</span>
        ) : landing === undefined ? (
          <span className="muted">{crash.computing}</span>
        ) : (
          <Said landing={landing} ends={state.survey?.ends ?? landing.ends} />
        )}
      </p>
      <button type="button" className="button small" disabled={landing === undefined} onClick={open}>
        <GitBranch aria-hidden />
        {crash.open}
      </button>
    </div>
  );
}

/** The panel may end above it. */
function inSight(bar: HTMLElement | null): void {
  bar?.scrollIntoView({ block: "nearest" });
}

function Said({ landing, ends }: { readonly landing: Landing; readonly ends: number }): ReactElement {
  const crash = useCrashText();
  return (
    <span aria-live="polite">
      <OutcomeWord outcome={outcomeOfLanding(landing)} /> {crash.came(landing, ends)}
    </span>
  );
}

function Nudges({ branch, drag, state }: Pick<CrashBarProps, "branch" | "drag" | "state">): ReactElement {
  const crash = useCrashText();
  const controller = useController();
  const to = (step: number): void => {
    drag.move(step);
    controller.goTo(drag.store.getState().step);
  };
  return (
    <span className="crash-nudges">
      <IconButton label={crash.phaseBack} onClick={() => to(phaseFrom(branch.run, state.step, -1))}>
        <ChevronFirst aria-hidden />
      </IconButton>
      <IconButton label={crash.eventBack} onClick={() => to(state.step - 1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton label={crash.eventOn} onClick={() => to(state.step + 1)}>
        <ChevronRight aria-hidden />
      </IconButton>
      <IconButton label={crash.phaseOn} onClick={() => to(phaseFrom(branch.run, state.step, 1))}>
        <ChevronLast aria-hidden />
      </IconButton>
    </span>
  );
}
