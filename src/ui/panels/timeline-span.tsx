/** A row of the timeline, and what lasts on it. */
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
} from "react";
import type { StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { useText } from "../text/use-text.ts";
import { windowsWords } from "../text/windows-words.ts";
import { TARGET, TrackWidth } from "../track-width.ts";
import { Windows } from "../windows/windows-button.tsx";

/** Pixels below which nothing can be written into a span: of a long run that is nearly all of them. */
const LABELLED = 12;

interface RowProps {
  readonly name: ReactNode;
  readonly className?: string;
  /** A double click where nothing is: how far along the track, from 0 to 1. Spans and the table open the same by key. */
  readonly onGap?: (share: number) => void;
  readonly children: ReactNode;
}

export function Row({ name, className, onGap, children }: RowProps): ReactElement {
  const gap = ({ target, currentTarget, clientX }: MouseEvent): void => {
    if (target !== currentTarget) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    onGap?.((clientX - left) / width);
  };
  return (
    <div className={className === undefined ? "timeline-row" : `timeline-row ${className}`}>
      <span className="timeline-name">{name}</span>
      <div className="timeline-track" onDoubleClick={onGap === undefined ? undefined : gap}>
        {children}
      </div>
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
  /** It has crash windows, which a double click and Enter open. */
  readonly windows?: boolean;
  /** What is written into it, where there is room. */
  readonly says?: ReactNode;
  /** Parts of it. */
  readonly children?: ReactNode;
}

/** Goes to where it begins and selects what it is. One too narrow to be hit is only a picture; the table has them all. */
export function SpanMark(props: SpanMarkProps): ReactElement {
  const { className, left, right, total, label, epoch, says, children } = props;
  const track = useContext(TrackWidth);
  const share = Math.max(0, right - left) / total;
  const style = { left: `${(left / total) * 100}%`, width: `${share * 100}%` };
  if (share * track >= TARGET) return <SpanButton {...props} style={style} />;
  const isNarrow = share * track < LABELLED;
  return (
    <span
      className={isNarrow ? `span narrow ${className}` : `span ${className}`}
      style={style}
      data-epoch={epoch}
      title={label}
    >
      {children}
      {isNarrow ? null : <Label>{says}</Label>}
    </span>
  );
}

function Label({ children }: { readonly children: ReactNode }): ReactElement | null {
  return children === undefined ? null : <span className="span-label">{children}</span>;
}

function SpanButton(props: SpanMarkProps & { readonly style: CSSProperties }): ReactElement {
  const { className, label, step, element, epoch, windows = false, style, says, children } = props;
  const controller = useController();
  const { timeline } = useText().panels;
  const [open, setOpen] = useState(false);
  const go = ({ shiftKey }: MouseEvent): void => {
    if (shiftKey) controller.player.runTo(step);
    else controller.goTo(step);
    if (element !== null) select(element);
  };
  const enter = (event: KeyboardEvent): void => {
    if (!windows || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className={`span ${className}`}
        style={style}
        data-epoch={epoch}
        title={[label, timeline.shift, ...(windows ? [windowsWords.hint] : [])].join("\n")}
        aria-label={label}
        onClick={go}
        onKeyDown={enter}
        onDoubleClick={() => setOpen(windows)}
      >
        {children}
        <Label>{says}</Label>
      </button>
      {open ? <Windows step={step} close={() => setOpen(false)} /> : null}
    </>
  );
}
