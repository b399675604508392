/**
 * Brings a run to a stage: at most once a frame, when somebody asks, the view at the moment that is shown becomes a frame.
 * Layouts of all stages come from one worker; until one is there the old stays.
 */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Moment } from "../view/clock.ts";
import { createFollower } from "../view/machines/follower.ts";
import { createFrames } from "../view/stage/frame.ts";
import { createLayoutService, type LayoutService } from "../view/stage/layout-service.ts";
import type { StageLayout } from "../view/stage/layout-types.ts";
import type { Stage } from "../view/stage/stage.ts";
import type { Run } from "./run.ts";

/** What a stage is to show. */
export interface Shown {
  readonly run: Run;
  readonly moment: Moment;
}

export interface StageDriveOptions {
  /** Asked with every frame; `null`: nothing yet. */
  readonly shown: () => Shown | null;
  /** The stage has just drawn with another layout, or in another room. */
  readonly laidOut: (layout: StageLayout) => void;
}

let service: LayoutService | null = null;

function layouts(): LayoutService {
  service ??= createLayoutService(
    new Worker(new URL("../view/stage/layout.worker.ts", import.meta.url), { type: "module", name: "layout" }),
  );
  return service;
}

export class StageDrive {
  private readonly stage: Stage;
  private readonly options: StageDriveOptions;
  private readonly follower = createFollower();
  private readonly frames = createFrames();
  private request = 0;
  private stopped = false;
  private drawn: StageLayout | null = null;

  constructor(stage: Stage, options: StageDriveOptions) {
    this.stage = stage;
    this.options = options;
  }

  /** Draws with the display's next frame. */
  ask(): void {
    if (this.request !== 0 || this.stopped) return;
    this.request = requestAnimationFrame(() => {
      this.request = 0;
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
    cancelAnimationFrame(this.request);
  }

  private draw(): void {
    const shown = this.options.shown();
    if (shown === null) return;
    const { run, moment } = shown;
    const layout = this.layoutFor(run.graph);
    if (layout === null) return;
    const view = run.stageViews.viewAt(moment.step);
    this.stage.draw(this.frames(view, this.follower.follow(run.log, view), moment.clock, layout));
    if (layout === this.drawn) return;
    this.drawn = layout;
    this.options.laidOut(layout);
  }

  private layoutFor(graph: ExecutionGraph): StageLayout | null {
    const size = this.stage.size();
    if (size.width === 0 || size.height === 0) return null;
    const known = layouts().known(graph, size);
    if (known === null)
      void layouts()
        .layout(graph, size)
        .then(() => this.ask());
    return known;
  }
}
