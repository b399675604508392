/** Stepping by event, phase, checkpoint and failure; playing; the position in the run. */
import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  Flag,
  FoldHorizontal,
  Pause,
  Play,
  RotateCcw,
  Zap,
} from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { changeSettings } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { toggleFoldIdle } from "../fold-idle.ts";
import { speeds } from "../setting-choices.ts";
import type { Speed } from "../settings.ts";
import { type Direction, type StepKind, stepBy } from "../steps.ts";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { BindingName } from "../text/en-keys.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import { Position } from "./position.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Told } from "./told.tsx";

export function Transport(): ReactElement {
  const text = useText();
  return (
    <section className="transport" aria-label={text.transport.label}>
      <Told />
      <div className="transport-steps">
        <Steps list={before} />
        <PlayButton />
        <Steps list={after} />
      </div>
      <Scrubber />
      <Position />
      <FoldIdle />
      <SpeedSelect />
    </section>
  );
}

interface Step {
  readonly kind: StepKind;
  readonly direction: Direction;
  readonly label: keyof Text["transport"] & `${string}${"ack" | "orward"}`;
  readonly keyOf: BindingName;
  readonly icon: ReactNode;
  readonly className?: string;
}

const before: readonly Step[] = [
  {
    kind: "failure",
    direction: -1,
    label: "failureBack",
    keyOf: "failureBack",
    icon: <To start of={Zap} />,
    className: "double wide-only",
  },
  {
    kind: "checkpoint",
    direction: -1,
    label: "checkpointBack",
    keyOf: "checkpointBack",
    icon: <To start of={Flag} />,
    className: "double wide-only",
  },
  { kind: "phase", direction: -1, label: "phaseBack", keyOf: "phaseBack", icon: <ChevronsLeft aria-hidden /> },
  { kind: "event", direction: -1, label: "back", keyOf: "back", icon: <ChevronLeft aria-hidden /> },
];

const after: readonly Step[] = [
  { kind: "event", direction: 1, label: "forward", keyOf: "forward", icon: <ChevronRight aria-hidden /> },
  { kind: "phase", direction: 1, label: "phaseForward", keyOf: "phaseForward", icon: <ChevronsRight aria-hidden /> },
  {
    kind: "checkpoint",
    direction: 1,
    label: "checkpointForward",
    keyOf: "checkpointForward",
    icon: <To of={Flag} />,
    className: "double",
  },
  {
    kind: "failure",
    direction: 1,
    label: "failureForward",
    keyOf: "failureForward",
    icon: <To of={Zap} />,
    className: "double wide-only",
  },
];

function Steps({ list }: { readonly list: readonly Step[] }): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const ready = useApp((app) => (branchOf(app)?.length ?? 0) > 0);
  return (
    <div className="transport-group">
      {list.map(({ kind, direction, label, keyOf, icon, className }) => (
        <IconButton
          key={label}
          label={transport[label]}
          keyOf={keyOf}
          disabled={!ready}
          className={className}
          onClick={() => stepBy(controller, kind, direction)}
        >
          {icon}
        </IconButton>
      ))}
    </div>
  );
}

/** What is stepped to, and a small arrow for the direction. */
function To({ of: Icon, start = false }: { readonly of: typeof Zap; readonly start?: boolean }): ReactElement {
  return (
    <>
      {start ? <ChevronFirst className="tiny" aria-hidden /> : null}
      <Icon aria-hidden />
      {start ? null : <ChevronLast className="tiny" aria-hidden />}
    </>
  );
}

function PlayButton(): ReactElement {
  const { transport } = useText();
  const controller = useController();
  const playback = useApp((app) => app.playback);
  const ready = useApp((app) => app.session !== null);
  const label = { playing: transport.pause, paused: transport.play, atEnd: transport.replay }[playback];
  const Icon = { playing: Pause, paused: Play, atEnd: RotateCcw }[playback];
  return (
    <IconButton
      label={label}
      keyOf="playPause"
      className="play"
      disabled={!ready}
      onClick={() => controller.player.toggle()}
    >
      <Icon aria-hidden />
    </IconButton>
  );
}

function FoldIdle(): ReactElement {
  const { transport } = useText();
  const on = useApp((app) => app.settings.foldIdle);
  return (
    <IconButton
      label={transport.foldIdle}
      keyOf="foldIdle"
      aria-pressed={on}
      className="wide-only fold-idle"
      onClick={toggleFoldIdle}
    >
      <FoldHorizontal aria-hidden />
    </IconButton>
  );
}

function SpeedSelect(): ReactElement {
  const { transport } = useText();
  const speed = useApp((app) => app.settings.speed);
  const choose = (value: string): void =>
    changeSettings({ speed: speeds.find((candidate) => String(candidate) === value) ?? 1 });
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
