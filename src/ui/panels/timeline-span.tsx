/** A row of the timeline, and what lasts on it. */
import { type MouseEvent, type ReactElement, type ReactNode, useContext } from "react";
import type { StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { useText } from "../text/use-text.ts";
import { TARGET, TrackWidth } from "../track-width.ts";

export function Row({
  name,
  className,
  children,
}: {
  readonly name: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className={className === undefined ? "timeline-row" : `timeline-row ${className}`}>
      <span className="timeline-name">{name}</span>
      <div className="timeline-track">{children}</div>
    </div>
  );
}

interface SpanMarkProps {
  readonly className: string;
  readonly left: number;
  readonly right: number;
  readonly total: number;
  readonly label: string;
  readonly step: number;
  readonly element: StageElement | null;
  readonly epoch?: number;
  readonly children?: ReactNode;
}

/** Goes to where it begins and selects what it is. One too narrow to be hit is only a picture; the table has them all. */
export function SpanMark({
  className,
  left,
  right,
  total,
  label,
  step,
  element,
  epoch,
  children,
}: SpanMarkProps): ReactElement {
  const controller = useController();
  const { timeline } = useText().panels;
  const track = useContext(TrackWidth);
  const share = Math.max(0, right - left) / total;
  const style = { left: `${(left / total) * 100}%`, width: `${share * 100}%` };
  if (share * track < TARGET) {
    return (
      <span className={`span ${className}`} style={style} data-epoch={epoch} title={label}>
        {children}
      </span>
    );
  }
  const go = ({ shiftKey }: MouseEvent): void => {
    if (shiftKey) controller.player.runTo(step);
    else controller.goTo(step);
    if (element !== null) select(element);
  };
  return (
    <button
      type="button"
      className={`span ${className}`}
      style={style}
      data-epoch={epoch}
      title={`${label}\n${timeline.shift}`}
      aria-label={label}
      onClick={go}
    >
      {children}
    </button>
  );
}
