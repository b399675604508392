/**
 * One picture of two runs that stand the same: every layer of the stage holds what either of them draws, and of each
 * element that is not the same one half of each is seen. Names say in words what differs. It is only looked at: nothing
 * can be broken here.
 */
import { customProperties, type Theme } from "../../theme.ts";
import { drawCountdown } from "../countdown.ts";
import { type Folds, noFolds } from "../density.ts";
import { type Detail, detailAt } from "../detail.ts";
import { type StageElement, elementAt, elementKey, headingAt, sameElement } from "../elements.ts";
import type { Frame, Scene } from "../frame-types.ts";
import { listenToKeys } from "../keyboard.ts";
import type { Size } from "../layout-types.ts";
import type { MarkContext } from "../marks/context.ts";
import type { Layer } from "../painter.ts";
import { listenToPointer } from "../pointer.ts";
import { createScaffold, type Scaffold } from "../scaffold.ts";
import { type Structure, createStructure } from "../structure.ts";
import type { StageText } from "../text.ts";
import { type Step, walk } from "../walk.ts";
import { Zoom, type ZoomWay } from "../zoom.ts";
import { BothMarks, type LayerPairs } from "./both-marks.ts";
import { type BothMoving, createBothMoving } from "./both-moving.ts";
import { type Apart, type BothText, apartIn, describeBoth, describeIn } from "./describe.ts";
import { type Half, type Halves, differing, halvesOf, statesOf } from "./halves.ts";

export interface BothStageOptions {
  readonly theme: Theme;
  readonly text: StageText;
  readonly both: BothText;
  readonly onSelect: (element: StageElement | null) => void;
  /** Does nothing move? */
  readonly still: () => boolean;
  /** Another scene is drawn. */
  readonly onDrawn: (differs: readonly DifferingElement[]) => void;
}

/** An element that is not the same, and its name that says so. */
export interface DifferingElement {
  readonly element: StageElement;
  readonly half: Half;
  readonly words: string;
  readonly apart: Apart;
}

export class BothStage {
  private readonly options: BothStageOptions;
  private readonly scaffold: Scaffold;
  private readonly a: Structure;
  private readonly b: Structure;
  private readonly layers: LayerPairs;
  private readonly marks: BothMarks;
  private readonly moving: BothMoving;
  private readonly camera: Zoom;
  private readonly stops: readonly (() => void)[];
  private context: MarkContext;
  private frames: { readonly a: Frame; readonly b: Frame } | null = null;
  private drawn: { readonly a: Scene; readonly b: Scene; readonly halves: Halves } | null = null;
  private share = 0.5;
  private room: Size = { width: 0, height: 0 };
  private selected: StageElement | null = null;
  private tabStop: SVGGElement | null = null;

  constructor(container: HTMLElement, options: BothStageOptions) {
    const { theme, text, onSelect } = options;
    this.options = options;
    this.context = { theme, text, detail: 1 };
    this.scaffold = createScaffold(container);
    const { svg, world, canvas, countdown, root } = this.scaffold;
    root.classList.add("both");
    const [groundA, groundB] = [svgGroup(), svgGroup()];
    this.a = createStructure(groundA, text.later, () => undefined);
    this.b = createStructure(groundB, text.later, () => undefined);
    this.layers = interleaved(world, groundA, groundB);
    this.marks = new BothMarks(world, this.layers);
    world.append(countdown);
    this.moving = createBothMoving(canvas, () => this.paintMoving());
    this.camera = new Zoom(svg, ({ x, y, k }) => {
      world.setAttribute("transform", `translate(${x},${y}) scale(${k})`);
      this.seeDetail(detailAt(k));
      this.paintMoving();
    });
    const zoom = (way: ZoomWay): void => this.camera.by(way);
    const nothing = (): void => undefined;
    const keys = { select: onSelect, inspect: onSelect, menu: nothing, fold: nothing, zoom };
    const focused = ({ target }: FocusEvent): void => this.stopAt(elementAt(target)?.node ?? this.tabStop);
    root.addEventListener("focusin", focused);
    this.stops = [
      listenToPointer(svg, { select: onSelect, menu: nothing, fold: nothing }),
      listenToKeys(svg, { ...keys, step: (from, step) => this.step(from, step) }),
    ];
    // What is painted from when its code is there has halves as well.
    void Promise.all([import("../structure-later.ts"), text.later()]).then(() => this.repaint());
    this.style();
    this.resize();
  }

  /** Both frames are of one layout. */
  draw(a: Frame, b: Frame): void {
    const before = this.drawn;
    this.frames = { a, b };
    if (a.scene.layout !== before?.a.layout) this.camera.resize(a.scene.layout, this.room);
    if (a.scene !== before?.a || b.scene !== before.b) this.paint(a.scene, b.scene);
    const whole = this.share === 0 ? a : b;
    this.scaffold.countdown.style.display = this.share > 0 && this.share < 1 ? "none" : "";
    drawCountdown(this.scaffold.countdown, whole, this.context.text);
    this.a.run(a, this.options.still());
    this.b.run(b, this.options.still());
    this.paintMoving();
  }

  /** How much of each halved element is the second run's, from 0 to 1. */
  blend(share: number): void {
    this.share = share;
    this.marks.divide(share);
    if (this.frames !== null) this.draw(this.frames.a, this.frames.b);
  }

  size(): Size {
    return this.room;
  }

  folds(): Folds {
    return noFolds;
  }

  resize(): void {
    this.room = this.scaffold.measure();
    this.moving.resize(this.room, window.devicePixelRatio);
    if (this.frames !== null) this.camera.resize(this.frames.a.scene.layout, this.room);
    this.paintMoving();
  }

  zoom(way: ZoomWay): void {
    this.camera.by(way);
  }

  select(element: StageElement | null): void {
    if (sameElement(element, this.selected)) return;
    this.selected = element;
    this.markSelected();
  }

  focus(element: StageElement): void {
    const node = this.nodeOf(element);
    if (node === null) return;
    this.stopAt(node);
    this.camera.reveal(node.getBoundingClientRect());
    node.focus({ preventScroll: true });
  }

  restyle(theme: Theme, text: StageText): void {
    this.context = { ...this.context, theme, text };
    this.style();
    this.repaint();
  }

  destroy(): void {
    for (const stop of this.stops) stop();
    this.camera.destroy();
    this.scaffold.remove();
  }

  private paint(a: Scene, b: Scene): void {
    const halves = halvesOf(a, b);
    this.drawn = { a, b, halves };
    this.a.paint(a, this.context);
    this.b.paint(b, this.context);
    for (const name of once) (this.layers.get(name)?.b ?? svgGroup()).style.display = "none";
    this.marks.show(halves, this.share, (layer, id) => statesOf(layer, id, a, b, this.context.text));
    this.options.onDrawn(this.name(a, b, halves));
    if (this.tabStop === null || !this.tabStop.isConnected) this.stopAt(this.nodeOf({ kind: "subtask", id: 0 }));
    this.markSelected();
  }

  /** Elements say in their names what differs; the second run's have none of their own, unless the first has none. */
  private name(a: Scene, b: Scene, halves: Halves): DifferingElement[] {
    const { text } = this.context;
    const { both } = this.options;
    const told = differing(halves).map(([element, half]) => {
      const apart = apartIn(element, { a, b }, { text, both });
      return { element, half, apart, words: describeBoth(half, apart, both) };
    });
    const words = new Map(told.map(({ element, words: said }) => [keyOf(element), said]));
    for (const { a: first, b: second } of this.layers.values()) {
      for (const node of first.children) this.label(node, a, words);
      for (const node of second.children) {
        const element = elementAt(node)?.element;
        const isOnly =
          element !== undefined && told.some((each) => each.half === "b" && sameElement(each.element, element));
        node.setAttribute("aria-hidden", String(!isOnly));
        if (isOnly) this.label(node, b, words);
        else node.removeAttribute("data-element");
      }
    }
    this.scaffold.describe(text.describeStage(a));
    return told;
  }

  private label(node: Element, scene: Scene, words: ReadonlyMap<string, string>): void {
    const element = elementAt(node)?.element;
    if (headingAt(node) !== null) asName(node);
    if (element === undefined) return;
    const said = words.get(keyOf(element)) ?? this.options.both.plain(describeIn(element, scene, this.context.text));
    node.removeAttribute("aria-haspopup");
    if (said !== "" && node.getAttribute("aria-label") !== said) node.setAttribute("aria-label", said);
  }

  private nodeOf(element: StageElement): SVGGElement | null {
    if (this.drawn === null) return null;
    const key = CSS.escape(elementKey(this.drawn.a.graph, element));
    return this.scaffold.world.querySelector(`[data-element="${key}"]`);
  }

  private markSelected(): void {
    for (const node of this.scaffold.world.querySelectorAll(".selected")) node.classList.remove("selected");
    if (this.selected === null) return;
    const { kind, id } = this.selected;
    for (const node of this.scaffold.world.querySelectorAll(`[data-kind="${kind}"][data-id="${id}"]`))
      node.classList.add("selected");
  }

  private stopAt(node: SVGGElement | null): void {
    if (node === this.tabStop) return;
    this.tabStop?.setAttribute("tabindex", "-1");
    this.tabStop = node;
    node?.setAttribute("tabindex", "0");
  }

  private step(from: StageElement, way: Step): void {
    const scene = this.drawn?.a;
    if (scene === undefined) return;
    const ground = { graph: scene.graph, scene, channelEnd: way === "right" ? ("from" as const) : ("to" as const) };
    const walked = walk(ground, from, way);
    if ("edge" in walked) this.scaffold.say(this.context.text.noFurther(walked.edge));
    else this.focus(walked.to);
  }

  private seeDetail(detail: Detail): void {
    if (detail === this.context.detail) return;
    this.context = { ...this.context, detail };
    this.scaffold.world.classList.toggle("far", detail < 1);
    this.repaint();
  }

  private repaint(): void {
    if (this.frames !== null) this.paint(this.frames.a.scene, this.frames.b.scene);
    this.paintMoving();
  }

  private paintMoving(): void {
    if (this.frames === null || this.drawn === null) return;
    const { a, b } = this.frames;
    const { halves } = this.drawn;
    const view = this.camera.view();
    this.moving.paint(a, b, {
      halves,
      share: this.share,
      view,
      theme: this.context.theme,
      still: this.options.still(),
    });
  }

  private style(): void {
    const { theme, text } = this.context;
    for (const [name, value] of Object.entries(customProperties(theme)))
      this.scaffold.root.style.setProperty(name, value);
    this.scaffold.label(text, (way) => this.camera.by(way));
  }
}

/** Drawn once for both: what hangs on the layout alone, and what explains the picture. */
const once: readonly Layer[] = ["panels", "connectors", "threads", "legend", "storage"];

/** Nothing can be opened or closed here. */
function asName(heading: Element): void {
  heading.setAttribute("role", "img");
  for (const name of ["aria-expanded", "tabindex"]) heading.removeAttribute(name);
}

const keyOf = ({ kind, id }: StageElement): string => `${kind}:${id}`;

function svgGroup(): SVGGElement {
  return document.createElementNS("http://www.w3.org/2000/svg", "g");
}

/** Each layer of one run, and above it the same of the other. */
function interleaved(world: SVGGElement, groundA: SVGGElement, groundB: SVGGElement): LayerPairs {
  const layersOf = (ground: SVGGElement): SVGGElement[] => [...ground.children] as SVGGElement[];
  const [inA, inB] = [layersOf(groundA), layersOf(groundB)];
  const name = (node: SVGGElement): Layer => node.classList[1]?.replace("layer-", "") as Layer;
  return new Map(
    inA.flatMap((a, index) => {
      const b = inB[index];
      if (b === undefined) return [];
      world.append(a, b);
      return [[name(a), { a, b }] as const];
    }),
  );
}
