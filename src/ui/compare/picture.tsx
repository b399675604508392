/** The stage of one run of a comparison: the same stage as the app's, only to be looked at. */
import { type ReactElement, useEffect, useRef } from "react";
import { WIDE_FROM } from "../../view/stage/layout-key.ts";
import type { Size } from "../../view/stage/layout-types.ts";
import { createStage } from "../../view/stage/stage.ts";
import { isStill } from "../player.ts";
import { StageDrive } from "../stage-drive.ts";
import { currentStageText } from "../text/stage-text.ts";
import { coloursNow, onColours } from "../theme.ts";
import type { SideBySide } from "./side-by-side.ts";

interface PictureProps {
  readonly side: SideBySide;
  /** The place of the run among the others. */
  readonly index: number;
}

/** What it shows is told beside it in words: for a keyboard and a screen reader there is nothing in it. */
export function Picture({ side, index }: PictureProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current === null ? undefined : mount(host.current, side, index)), [side, index]);
  return <div ref={host} className="compare-picture" inert aria-hidden />;
}

const nothing = (): void => undefined;

/** From left to right, and downwards: as flat and as narrow as it can be. */
export const rooms = ({ width }: Size): Size[] => [
  { width: WIDE_FROM, height: 1 },
  { width: Math.min(width, WIDE_FROM - 1), height: 1 },
];

function mount(host: HTMLElement, side: SideBySide, index: number): () => void {
  const { runs, cursor, turns } = side;
  const text = currentStageText();
  const theme = coloursNow();
  const stage = createStage(host, {
    still: isStill,
    theme,
    text,
    onSelect: nothing,
    onInspect: nothing,
    onMenu: nothing,
    onFold: nothing,
  });
  const drive = new StageDrive(stage, {
    shown: () => side.shown(index),
    laidOut: () => stage.zoom("fit"),
    rooms,
    soon: turns.ask,
  });
  const sizes = new ResizeObserver(() => drive.resized());
  sizes.observe(host);
  const stops = [
    cursor.subscribe(() => drive.ask()),
    runs.store.subscribe(({ runs: now }, { runs: before }) => {
      if (now[index]?.length !== before[index]?.length) drive.ask();
    }),
    onColours((colours) => stage.restyle(colours, currentStageText())),
    () => sizes.disconnect(),
    () => drive.stop(),
    () => stage.destroy(),
  ];
  drive.ask();
  return () => stops.forEach((stop) => stop());
}
