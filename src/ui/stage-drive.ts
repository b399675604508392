/**
 * Brings a run to a stage: at most once a frame, when somebody asks, the view at the moment that is shown becomes a frame.
 * Layouts of all stages come from one worker; until one is there the old picture stays.
 */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Moment } from "../view/clock.ts";
import { createFollower } from "../view/machines/follower.ts";
import type { Folds } from "../view/stage/density.ts";
import { createFrames } from "../view/stage/frame.ts";
import type { Later } from "../view/stage/frame-types.ts";
import { createLayoutService, type LayoutService } from "../view/stage/layout-service.ts";
import type { Size, StageLayout } from "../view/stage/layout-types.ts";
import type { Stage } from "../view/stage/stage.ts";
import type { Run } from "./run.ts";

/** What a stage is to show. */
export interface Shown {
  readonly run: Run;
  readonly moment: Moment;
}

/** What is drawn on. */
export type Drawn = Pick<Stage, "draw" | "size" | "folds" | "resize">;

export interface StageDriveOptions {
  /** Asked with every frame; `null`: nothing yet. */
  readonly shown: () => Shown | null;
  /** The stage has just drawn with another layout, or in another room. */
  readonly laidOut: (layout: StageLayout) => void;
  /** Rooms for which it may be laid out: the layout that fits the stage best is drawn. By default the stage's own. */
  readonly rooms?: (stage: Size) => readonly Size[];
  /** Calls `draw` with one of the display's next frames, unless the returned function is called first. By default the next. */
  readonly soon?: (draw: () => void) => () => void;
}

function nextFrame(draw: () => void): () => void {
  const request = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(request);
}

let service: LayoutService | null = null;

function layouts(): LayoutService {
  service ??= createLayoutService(
    () => new Worker(new URL("../view/stage/layout.worker.ts", import.meta.url), { type: "module", name: "layout" }),
  );
  return service;
}

export class StageDrive {
  private readonly stage: Drawn;
  private readonly options: StageDriveOptions;
  private readonly follower = createFollower();
  private readonly frames = createFrames();
  /** Takes back what is asked for; `null`: nothing is. */
  private asked: (() => void) | null = null;
  private stopped = false;
  /** Of a run. */
  private laterOf: (run: Run) => Later | null = () => null;
  private fetching = false;
  private drawn: StageLayout | null = null;
  /** The layout of the last frame, and what it was made for. */
  private laid: {
    readonly graph: ExecutionGraph;
    readonly room: Size;
    readonly folds: Folds;
    readonly layout: StageLayout;
  } | null = null;

  constructor(stage: Drawn, options: StageDriveOptions) {
    this.stage = stage;
    this.options = options;
  }

  /** Draws with one of the display's next frames. */
  ask(): void {
    if (this.asked !== null || this.stopped) return;
    this.asked = (this.options.soon ?? nextFrame)(() => {
      this.asked = null;
      this.draw();
    });
  }

  resized(): void {
    this.stage.resize();
    this.drawn = null;
    this.ask();
  }

  stop(): void {
    this.stopped = true;
    this.asked?.();
  }

  private draw(): void {
    const shown = this.options.shown();
    if (shown === null) return;
    const { run, moment } = shown;
    const layout = this.layoutFor(run.jobs.at(moment.step).graph);
    if (layout === null) return;
    const view = run.stageViews.viewAt(moment.step);
    const states = this.follower.follow(run.log, view);
    this.stage.draw(this.frames(view, states, moment.clock, layout, this.laterOf(run)));
    this.fetchLater();
    if (layout === this.drawn) return;
    this.drawn = layout;
    this.options.laidOut(layout);
  }

  /** What no first picture has comes behind it. */
  private fetchLater(): void {
    if (this.fetching) return;
    this.fetching = true;
    const parts = [import("../view/stage/frame-later.ts"), import("./facts.ts")] as const;
    void Promise.all(parts).then(([{ laterWith }, { factsOf }]) => {
      const known = new WeakMap<Run, Later>();
      this.laterOf = (run) => {
        const later = known.get(run) ?? laterWith((step) => factsOf(run).shelf.at(step));
        known.set(run, later);
        return later;
      };
      this.ask();
    });
  }

  private layoutFor(graph: ExecutionGraph): StageLayout | null {
    const room = this.stage.size();
    if (room.width === 0 || room.height === 0) return null;
    const folds = this.stage.folds();
    if (this.laid?.graph === graph && this.laid.room === room && this.laid.folds === folds) return this.laid.layout;
    const rooms = this.options.rooms?.(room) ?? [room];
    const known = rooms.flatMap((each) => layouts().known(graph, each, folds) ?? []);
    if (known.length < rooms.length) {
      void Promise.all(rooms.map((each) => layouts().layout(graph, each, folds))).then(() => this.ask());
      return null;
    }
    const layout = fittest(known, room);
    this.laid = { graph, room, folds, layout };
    return layout;
  }
}

/** The one that need be shrunk least. */
function fittest(known: readonly StageLayout[], { width, height }: Size): StageLayout {
  const scale = (layout: StageLayout): number => Math.min(width / layout.width, height / layout.height);
  return known.reduce((one, other) => (scale(other) > scale(one) ? other : one));
}
