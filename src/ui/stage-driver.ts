/** The app's stage: it shows the branch on screen at the playhead, and what is pointed at there is selected or failed. */
import { elementAt, sameElement, type StageElement, type Stop } from "../view/stage/elements.ts";
import type { Size } from "../view/stage/layout-types.ts";
import type { Anchor } from "../view/stage/pointer.ts";
import { createStage } from "../view/stage/stage.ts";
import { inspect, openMenu, select } from "./app-actions.ts";
import { canFail } from "./can-fail.ts";
import { isStill } from "./player.ts";
import { playhead } from "./playhead.ts";
import { openMenuAtElement } from "./stage-anchor.ts";
import { type Shown, StageDrive } from "./stage-drive.ts";
import { branchOf, appStore } from "./store.ts";
import { currentStageText } from "./text/stage-text.ts";
import { coloursNow, onColours } from "./theme.ts";
import { phone } from "./media.ts";

/** Clicking what is selected already asks what should go wrong there. */
function choose(element: StageElement | null): void {
  const { selection } = appStore.getState();
  if (element !== null && sameElement(element, selection) && canFail(element)) openMenuAtElement(element);
  else select(element);
}

function menuAt(stop: Stop, { x, y }: Anchor): void {
  const element = stop.kind === "vertex" ? null : stop;
  if (canFail(stop)) openMenu(stop, x, y);
  else select(element);
}

/** Space selects; what is selected already need not be selected again, so there it plays and pauses as elsewhere. */
function playInstead(event: KeyboardEvent, toggle: () => void): void {
  const focused = elementAt(event.target)?.element ?? null;
  if (event.key !== " " || focused === null || !sameElement(focused, appStore.getState().selection)) return;
  event.preventDefault();
  event.stopPropagation();
  toggle();
}

/** One finger scrolls the page and taps; the stage is panned by mouse and zoomed with two. */
function leaveToPage(event: TouchEvent): void {
  if (event.touches.length === 1 && phone.matches) event.stopPropagation();
}

function shown(): Shown | null {
  const branch = branchOf(appStore.getState());
  if (branch === null || branch.length === 0) return null;
  const { run } = branch;
  return { run, moment: run.clock.momentAt(playhead.getState().presentation) };
}

/** In one column the page scrolls, so the stage may be as tall as its picture. */
function tellHeight(height: number): void {
  document.documentElement.style.setProperty("--stage-height", `${height}px`);
}

/** On the wall everything is larger: the room is as much smaller. */
const PROJECTED = 1.4;

function smaller({ width, height }: Size): Size {
  return { width: Math.round(width / PROJECTED), height: Math.round(height / PROJECTED) };
}

export function mountStage(host: HTMLElement, toggle: () => void): () => void {
  const stage = createStage(host, {
    still: isStill,
    theme: coloursNow(),
    text: currentStageText(),
    onSelect: choose,
    onInspect: inspect,
    onMenu: menuAt,
    onFold: () => driver.ask(),
    rails: true,
  });
  const driver = new StageDrive(stage, {
    shown,
    rooms: (room) => [appStore.getState().projector ? smaller(room) : room],
    laidOut: ({ width, height }) => {
      tellHeight(height);
      const room = stage.size();
      if (appStore.getState().projector && width <= room.width && height <= room.height) stage.zoom("fit");
    },
  });
  host.addEventListener("keydown", (event) => playInstead(event, toggle), { capture: true });
  const sizes = new ResizeObserver(() => driver.resized());
  sizes.observe(host);
  host.addEventListener("touchstart", leaveToPage, { capture: true, passive: true });
  const stops = [
    playhead.subscribe(() => driver.ask()),
    appStore.subscribe(branchOf, () => driver.ask()),
    appStore.subscribe(
      (app) => app.selection,
      (selection) => stage.select(selection),
    ),
    appStore.subscribe(
      (app) => app.lit,
      (lit) => stage.light(lit === null ? null : lit.elements),
    ),
    onColours((colours) => stage.restyle(colours, currentStageText())),
    () => sizes.disconnect(),
    () => driver.stop(),
    () => stage.destroy(),
  ];
  driver.ask();
  return () => stops.forEach((stop) => stop());
}
