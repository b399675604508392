/**
 * The stage: structure as SVG, moving things on a canvas above it. It draws the frame that it is given and reports what a
 * person points at; it knows nothing of what happens then.
 */
import { at } from "../../base/assert.ts";
import { customProperties, type Theme } from "../theme.ts";
import { type Folds, noFolds, STRIPS, toggled } from "./density.ts";
import { drawCountdown } from "./countdown.ts";
import { type Detail, detailAt } from "./detail.ts";
import { elementAt, headingAt, sameElement, type StageElement, type Stop, stopUnder } from "./elements.ts";
import type { Frame, Scene } from "./frame-types.ts";
import type { Size } from "./layout-types.ts";
import type { MarkContext } from "./marks/context.ts";
import type { Minimap } from "./minimap.ts";
import { createMovingLayer, type MovingLayer, type View } from "./moving.ts";
import type { Anchor } from "./pointer.ts";
import { NEAR_FROM, subtasksIn } from "./near.ts";
import { createScaffold, type Scaffold } from "./scaffold.ts";
import { createStructure, type Structure } from "./structure.ts";
import type { Lit } from "./structure-legend.ts";
import type { StageText } from "./text.ts";
import type { Sight } from "./touch.ts";
import type { Step, Successor, Walk } from "./walk.ts";
import { needsMap, Zoom, type ZoomWay } from "./zoom.ts";

export interface StageOptions {
  readonly theme: Theme;
  readonly text: StageText;
  /** An element was clicked, or chosen by key; `null`: the ground. */
  readonly onSelect: (element: StageElement | null) => void;
  /** Somebody wants to be told all of it. */
  readonly onInspect: (element: StageElement) => void;
  /** Somebody asks what should go wrong with an element; the anchor is in client coordinates. */
  readonly onMenu: (stop: Stop, anchor: Anchor) => void;
  /** A vertex was opened or closed: the next frame should be of a layout for `folds()`. */
  readonly onFold: () => void;
  /** Does nothing move? What is under way stands on its way then, with an arrow to where it goes. */
  readonly still: () => boolean;
  /** Where there is little room, the strips beside the graph are rails until something in them has the focus. */
  readonly rails?: boolean;
}

export interface Stage {
  /** Draws a frame; its layout should be made for `size()` and `folds()`. */
  draw(frame: Frame): void;
  /** The room there is, in CSS pixels. */
  size(): Size;
  /** What somebody has opened and closed. */
  folds(): Folds;
  /** Measures the room anew. */
  resize(): void;
  /** Marks an element as selected; `null`: none. */
  select(element: StageElement | null): void;
  /** Lets everything fade but these; `null`: nothing fades. */
  light(elements: readonly StageElement[] | null): void;
  /** Moves the keyboard's focus to an element, or to a heading, and brings it into sight. */
  focus(stop: Stop): void;
  zoom(way: ZoomWay): void;
  /** Other colours, or another language. */
  restyle(theme: Theme, text: StageText): void;
  destroy(): void;
}

export function createStage(container: HTMLElement, options: StageOptions): Stage {
  return new SvgStage(container, options);
}

class SvgStage implements Stage {
  private readonly container: HTMLElement;
  private readonly scaffold: Scaffold;
  private readonly structure: Structure;
  private readonly moving: MovingLayer;
  private readonly camera: Zoom;
  private readonly still: () => boolean;
  private readonly stops: (() => void)[];
  private context: MarkContext;
  private frame: Frame | null = null;
  /** All three are read by the structure (`Pointed`). */
  selected: StageElement | null = null;
  hovered: StageElement | null = null;
  near: readonly number[] = [];
  private folded: Folds = noFolds;
  /** The vertex that was opened or closed last, until it stands anew. */
  private folding: number | null = null;
  private readonly onFold: () => void;
  private marked: SVGGElement | null = null;
  /** The element that Tab leads to. */
  private tabStop: SVGGElement | null = null;
  /** Where the keys lead: there before any key is listened to, so that one that follows at once does not overtake it. */
  private ways: { readonly walk: Walk; readonly successor: Successor } | null = null;
  /** From which end the walk came to a channel. */
  private channelEnd: "from" | "to" = "to";
  /** Only of a stage that is larger than its room; `undefined`: its code is not there yet. */
  private map: Minimap | null | undefined = null;
  /** What the legend lights. */
  private lit: Lit | null = null;
  /** What the map shows. */
  private mapped: Seen | null = null;
  private stopped = false;
  private room: Size = { width: 0, height: 0 };

  constructor(container: HTMLElement, options: StageOptions) {
    const { theme, text, onSelect, onInspect, onMenu, onFold, still, rails = false } = options;
    this.container = container;
    this.onFold = onFold;
    this.still = still;
    if (rails) this.folded = { [STRIPS]: "closed" };
    this.context = { theme, text, detail: 1 };
    this.scaffold = createScaffold(container);
    const { svg, world, canvas, countdown } = this.scaffold;
    this.structure = createStructure(world, text.later, (lit) => {
      if (lit === this.lit) return;
      this.lit = lit;
      this.paintMoving();
    });
    world.append(countdown);
    this.moving = createMovingLayer(canvas, () => this.paintMoving());
    this.camera = new Zoom(svg, ({ x, y, k }) => {
      world.setAttribute("transform", `translate(${x},${y}) scale(${k})`);
      this.seeDetail(detailAt(k));
      this.seeNear();
      this.paintMoving();
    });
    const zoom = (way: ZoomWay): void => {
      this.camera.by(way);
      // By key one zooms at what is in focus.
      if (way === "in" && this.tabStop !== null) this.camera.centre(this.tabStop.getBoundingClientRect());
    };
    const fold = (vertex: number): void => this.fold(vertex);
    const hover = (element: StageElement | null): void => this.hover(element);
    this.stops = [
      // Not on the SVG: Chromium would make a tab stop of it.
      this.listen(this.scaffold.root, "focusin", (event) => this.focused(event.target)),
      this.listen(this.scaffold.root, "focusout", ({ relatedTarget }: FocusEvent) => {
        this.hover(null);
        if (relatedTarget instanceof Node && !this.scaffold.root.contains(relatedTarget)) this.widen(undefined);
      }),
    ];
    const step = (from: Stop, way: Step): void => this.step(from, way);
    // Nobody points at anything, or presses a key, before there is a picture.
    void Promise.all([import("./listen.ts"), import("./walk.ts")]).then(([{ listen }, ways]) => {
      if (this.stopped) return;
      this.ways = ways;
      const pan = (dx: number): void => this.camera.translate(dx, 0);
      const sight = (): Sight => ({ layout: this.frame?.scene.layout, view: this.camera.view(), room: this.room });
      const put = (view: View | null): void => this.camera.put(view);
      const asked = { select: onSelect, inspect: onInspect, menu: onMenu };
      this.stops.push(listen(svg, { ...asked, step, zoom, fold, hover, pan, sight, put }));
    });
    this.style();
    this.resize();
  }

  draw(next: Frame): void {
    const before = this.frame?.scene;
    const { scene } = next;
    const held = document.activeElement === this.tabStop ? this.tabStop : null;
    this.frame = next;
    if (scene.layout !== before?.layout) this.placeCamera(scene, before ?? null);
    if (scene !== before) {
      this.structure.paint(scene, this.context);
      this.scaffold.describe(this.context.text.describeStage(scene));
      if (this.tabStop === null || !this.tabStop.isConnected)
        this.stopAt(this.structure.element({ kind: "subtask", id: 0 }));
      this.markSelected();
      if (held !== null && before !== undefined) this.keep(held, before, scene);
    }
    drawCountdown(this.scaffold.countdown, next, this.context.text);
    this.structure.run(next, this.still());
    this.paintMoving();
  }

  size(): Size {
    return this.room;
  }

  folds(): Folds {
    return this.folded;
  }

  resize(): void {
    this.room = this.scaffold.measure();
    this.moving.resize(this.room, window.devicePixelRatio);
    if (this.frame !== null) this.camera.resize(this.frame.scene.layout, this.room);
    this.paintMoving();
  }

  select(element: StageElement | null): void {
    if (sameElement(element, this.selected)) return;
    this.selected = element;
    this.structure.unravel(this);
    this.markSelected();
  }

  light(elements: readonly StageElement[] | null): void {
    this.structure.light(elements);
  }

  focus(stop: Stop): void {
    const node = this.structure.element(stop);
    if (node === null) return;
    this.stopAt(node);
    this.camera.reveal(node.getBoundingClientRect());
    node.focus({ preventScroll: true });
  }

  zoom(way: ZoomWay): void {
    this.camera.by(way);
  }

  restyle(theme: Theme, text: StageText): void {
    this.context = { ...this.context, theme, text };
    this.style();
    this.repaint();
    this.paintMoving();
  }

  destroy(): void {
    this.stopped = true;
    this.map?.remove();
    for (const stop of this.stops) stop();
    this.camera.destroy();
    this.scaffold.remove();
  }

  /** Nearer or farther by a step, more or less is drawn. */
  private seeDetail(detail: Detail): void {
    if (detail === this.context.detail) return;
    this.context = { ...this.context, detail };
    this.scaffold.world.classList.toggle("far", detail < 1);
    this.repaint();
  }

  /** From near, what is in sight shows its channels one by one. */
  private seeNear(): void {
    if (this.frame === null || (this.context.detail < NEAR_FROM && this.near.length === 0)) return;
    const { x, y, k } = this.camera.view();
    const { width, height } = this.room;
    const sight = { x: -x / k, y: -y / k, width: width / k, height: height / k };
    const seen = this.context.detail < NEAR_FROM ? [] : subtasksIn(this.frame.scene.layout, sight);
    if (seen.join() === this.near.join()) return;
    this.near = seen;
    this.structure.unravel(this);
  }

  private repaint(): void {
    if (this.frame === null) return;
    this.structure.paint(this.frame.scene, this.context);
    this.markSelected();
  }

  private listen<E extends Event>(target: EventTarget, type: string, listener: (event: E) => void): () => void {
    target.addEventListener(type, listener as EventListener);
    return () => target.removeEventListener(type, listener as EventListener);
  }

  private style(): void {
    const { theme, text } = this.context;
    for (const [name, value] of Object.entries(customProperties(theme))) this.container.style.setProperty(name, value);
    this.scaffold.label(text, (way) => this.camera.by(way));
  }

  private paintMoving(): void {
    if (this.frame === null) return;
    const view = this.camera.view();
    this.moving.paint(this.frame, view, this.context.theme, this.still(), this.lit);
    const { scene } = this.frame;
    // Nothing on the map moves within a step.
    const seen = { scene, view, room: this.room, theme: this.context.theme };
    if (sameSeen(seen, this.mapped)) return;
    this.mapped = seen;
    const wanted = needsMap(scene.layout, view.k, this.room);
    if (!wanted) this.map?.hide();
    else if (this.map === null) this.fetchMap();
    else this.map?.paint(scene, view, this.room, seen.theme);
  }

  /** The map is for stages that are larger than their room: its code is fetched with the first of them. */
  private fetchMap(): void {
    this.map = undefined;
    void import("./minimap.ts").then(({ createMinimap }) => {
      if (this.stopped) return;
      this.map = createMinimap(this.scaffold.root, (point) => this.camera.lookAt(point));
      this.mapped = null;
      this.paintMoving();
    });
  }

  private stopAt(node: SVGGElement | null): void {
    if (node === this.tabStop) return;
    this.tabStop?.setAttribute("tabindex", "-1");
    this.tabStop = node;
    node?.setAttribute("tabindex", "0");
  }

  /** The focus stays on the same thing; what is gone gives it to its operator. */
  private keep(held: SVGGElement, before: Scene, scene: Scene): void {
    if (held.isConnected) return this.tellAll(held);
    const key = held.dataset["element"];
    const same = key === undefined ? null : this.structure.named(key);
    if (same !== null) return same.focus({ preventScroll: true });
    if (this.ways === null) return;
    this.focus(this.ways.successor(before, scene, stopUnder(held)));
    this.scaffold.say(this.context.text.noFurther("gone"));
  }

  /** A subtask in focus tells also what waits for it and what it has sent, which changes with nearly every step. */
  private tellAll(node: SVGGElement): void {
    const hit = elementAt(node);
    const scene = this.frame?.scene;
    const subtask = hit?.element.kind === "subtask" ? scene?.subtasks[hit.element.id] : undefined;
    if (subtask === undefined || scene === undefined) return;
    const words = this.context.text.describeFocused(subtask, scene);
    if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words);
  }

  private markSelected(): void {
    const node = this.selected === null ? null : this.structure.element(this.selected);
    if (node === this.marked) return;
    this.marked?.classList.remove("selected");
    this.marked?.removeAttribute("aria-current");
    node?.classList.add("selected");
    node?.setAttribute("aria-current", "true");
    this.marked = node;
  }

  private focused(target: EventTarget | null): void {
    const hit = elementAt(target);
    if (hit !== null) this.tellAll(hit.node);
    this.stopAt(hit?.node ?? headingAt(target)?.node ?? this.tabStop);
    this.hover(hit?.element ?? null);
    this.widen(hit?.element.kind);
  }

  /** Rails are strips while something in them has the focus. */
  private widen(focused: Stop["kind"] | undefined): void {
    const wanted = focused === "input" || focused === "storage" || focused === "checkpoint" ? "open" : "closed";
    if ((this.folded[STRIPS] ?? wanted) === wanted) return;
    this.folded = { ...this.folded, [STRIPS]: wanted };
    this.onFold();
  }

  /** What is under the mouse, or else in focus, shows its channels one by one. */
  private hover(element: StageElement | null): void {
    if (sameElement(element, this.hovered)) return;
    this.hovered = element;
    this.structure.unravel(this);
  }

  private fold(id: number): void {
    const vertex = this.frame?.scene.graph.vertices[id];
    if (vertex === undefined) return;
    this.folded = toggled(this.folded, vertex);
    this.folding = id;
    this.onFold();
  }

  /** A vertex that was opened or closed stays where it is; any other layout is seen from its begin. */
  private placeCamera({ layout, graph }: Scene, before: Scene | null): void {
    const { folding } = this;
    this.folding = null;
    if (folding === null || before === null || before.graph !== graph) this.camera.resize(layout, this.room);
    else this.camera.rearrange(layout, at(before.layout.vertices, folding).box, at(layout.vertices, folding).box);
  }

  private step(from: Stop, way: Step): void {
    if (this.frame === null || this.ways === null) return;
    const { scene } = this.frame;
    if (from.kind === "subtask") this.channelEnd = way === "right" ? "from" : "to";
    const ground = { graph: scene.graph, scene, channelEnd: this.channelEnd };
    const walked = this.ways.walk(ground, from, way);
    if ("edge" in walked) this.scaffold.say(this.context.text.noFurther(walked.edge));
    else this.focus(walked.to);
  }
}

interface Seen {
  readonly scene: Scene;
  readonly view: View;
  readonly room: Size;
  readonly theme: Theme;
}

function sameSeen(a: Seen, b: Seen | null): boolean {
  return (
    b !== null &&
    a.scene.subtasks === b.scene.subtasks &&
    a.scene.layout === b.scene.layout &&
    a.view === b.view &&
    a.room === b.room &&
    a.theme === b.theme
  );
}
