/**
 * Brings the run to the stage: at most once a frame, when the playhead, the branch, the room or the colours have changed,
 * the view at the playhead becomes a frame. The layout of a graph comes from a worker; until it is there the old stays.
 */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { createFollower } from "../view/machines/follower.ts";
import { sameElement, type StageElement } from "../view/stage/elements.ts";
import { createFrames } from "../view/stage/frame.ts";
import { createLayoutService } from "../view/stage/layout-service.ts";
import type { StageLayout } from "../view/stage/layout-types.ts";
import { type Anchor, elementAt } from "../view/stage/pointer.ts";
import { createStage, type Stage } from "../view/stage/stage.ts";
import { openMenu, select } from "./app-actions.ts";
import { canFail } from "./can-fail.ts";
import { playhead } from "./playhead.ts";
import { openMenuAtElement } from "./stage-anchor.ts";
import { branchOf, appStore } from "./store.ts";
import { currentStageText } from "./text/stage-text.ts";
import { coloursOf, onColours } from "./theme.ts";
import { oneColumn } from "./media.ts";

function layoutWorker(): Worker {
  return new Worker(new URL("../view/stage/layout.worker.ts", import.meta.url), { type: "module", name: "layout" });
}

/** Clicking what is selected already asks what should go wrong there. */
function choose(element: StageElement | null): void {
  const { selection } = appStore.getState();
  if (element !== null && sameElement(element, selection) && canFail(element)) openMenuAtElement(element);
  else select(element);
}

function menuAt(element: StageElement, { x, y }: Anchor): void {
  if (canFail(element)) openMenu(element, x, y);
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
  if (event.touches.length === 1 && oneColumn.matches) event.stopPropagation();
}

export function mountStage(host: HTMLElement, toggle: () => void): () => void {
  const stage = createStage(host, {
    theme: coloursOf(appStore.getState().settings.theme),
    text: currentStageText(),
    onSelect: choose,
    onMenu: menuAt,
  });
  const driver = new Driver(stage);
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
    onColours((colours) => stage.restyle(colours, currentStageText())),
    () => sizes.disconnect(),
    () => driver.stop(),
    () => stage.destroy(),
  ];
  driver.ask();
  return () => stops.forEach((stop) => stop());
}

class Driver {
  private readonly stage: Stage;
  private readonly worker = layoutWorker();
  private readonly layouts = createLayoutService(this.worker);
  private readonly follower = createFollower();
  private readonly frames = createFrames();
  private request = 0;
  private height = 0;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Draws with the display's next frame. */
  ask(): void {
    if (this.request !== 0) return;
    this.request = requestAnimationFrame(() => {
      this.request = 0;
      this.draw();
    });
  }

  resized(): void {
    this.stage.resize();
    this.ask();
  }

  stop(): void {
    cancelAnimationFrame(this.request);
    this.worker.terminate();
  }

  private draw(): void {
    const { session } = appStore.getState();
    const branch = branchOf(appStore.getState());
    if (session === null || branch === null || branch.length === 0) return;
    const layout = this.layoutFor(session.graph);
    if (layout === null) return;
    this.tellHeight(layout.height);
    const { run } = branch;
    const { step, clock } = run.clock.momentAt(playhead.getState().presentation);
    const view = run.stageViews.viewAt(step);
    this.stage.draw(this.frames(view, this.follower.follow(run.log, view), clock, layout));
  }

  /** In one column the page scrolls, so the stage may be as tall as its picture. */
  private tellHeight(height: number): void {
    if (height === this.height) return;
    this.height = height;
    document.documentElement.style.setProperty("--stage-height", `${height}px`);
  }

  private layoutFor(graph: ExecutionGraph): StageLayout | null {
    const size = this.stage.size();
    if (size.width === 0 || size.height === 0) return null;
    const known = this.layouts.known(graph, size);
    if (known === null) void this.layouts.layout(graph, size).then(() => this.ask());
    return known;
  }
}
