/** Stepping by event, phase, checkpoint and failure; playing; the position in the run. */
import {
  ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Flag, Pause, Play, RotateCcw, Zap,
} from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { changeSettings } from "../app-actions.ts";
import type { StepKind } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { type Speed, speeds } from "../settings.ts";
import { branchOf, useApp } from "../store.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { useText } from "../text/use-text.ts";
import { Position } from "./position.tsx";
import { Scrubber } from "./scrubber.tsx";

export function Transport(): ReactElement {
  const text = useText();
  return (
    <section className="transport" aria-label={text.transport.label}>
      <Steps />
      <Scrubber />
      <Position />
      <SpeedSelect />
    </section>
  );
}

function Steps(): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const ready = useApp((app) => (branchOf(app)?.length ?? 0) > 0);
  const step = (kind: StepKind, direction: 1 | -1, label: string, shortcut: string, icon: ReactNode, className?: string): ReactElement => (
    <IconButton label={label} shortcut={shortcut} disabled={!ready} className={className} onClick={() => controller.step(kind, direction)}>
      {icon}
    </IconButton>
  );
  return (
    <div className="transport-steps">
      <div className="transport-group wide-only">
        {step("failure", -1, transport.failureBack, "Shift+X", <><Tiny left /><Zap aria-hidden /></>, "double")}
        {step("checkpoint", -1, transport.checkpointBack, "Shift+N", <><Tiny left /><Flag aria-hidden /></>, "double")}
      </div>
      <div className="transport-group">
        {step("phase", -1, transport.phaseBack, "<", <ChevronsLeft aria-hidden />)}
        {step("event", -1, transport.back, ",", <ChevronLeft aria-hidden />)}
        <PlayButton />
        {step("event", 1, transport.forward, ".", <ChevronRight aria-hidden />)}
        {step("phase", 1, transport.phaseForward, ">", <ChevronsRight aria-hidden />)}
      </div>
      <div className="transport-group">
        {step("checkpoint", 1, transport.checkpointForward, "N", <><Flag aria-hidden /><Tiny /></>, "double")}
        {step("failure", 1, transport.failureForward, "X", <><Zap aria-hidden /><Tiny /></>, "double wide-only")}
      </div>
    </div>
  );
}

/** The small arrow beside an icon that says what is stepped to. */
function Tiny({ left }: { readonly left?: boolean }): ReactElement {
  return left === true ? <ChevronFirst className="tiny" aria-hidden /> : <ChevronLast className="tiny" aria-hidden />;
}

function PlayButton(): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const playback = useApp((app) => app.playback);
  const ready = useApp((app) => app.session !== null);
  const label = playback === "playing" ? transport.pause : playback === "atEnd" ? transport.replay : transport.play;
  return (
    <IconButton label={label} shortcut="Space" className="play" disabled={!ready} onClick={() => controller.player.toggle()}>
      {playback === "playing" ? <Pause aria-hidden /> : playback === "atEnd" ? <RotateCcw aria-hidden /> : <Play aria-hidden />}
    </IconButton>
  );
}

function SpeedSelect(): ReactElement {
  const { transport } = useText();
  const speed = useApp((app) => app.settings.speed);
  const choose = (value: string): void => changeSettings({ speed: speeds.find((candidate) => String(candidate) === value) ?? 1 });
  const name = (candidate: Speed): string => (candidate === "max" ? transport.max : `${candidate}×`);
  return (
    <label className="select">
      <span className="visually-hidden">{transport.speed}</span>
      <select value={String(speed)} onChange={(event) => choose(event.currentTarget.value)}>
        {speeds.map((candidate) => (
          <option key={candidate} value={String(candidate)}>
            {name(candidate)}
          </option>
        ))}
      </select>
    </label>
  );
}
