/**
 * The stage: structure as SVG, moving things on a canvas above it. It draws the frame that it is given and reports what a
 * person points at; it knows nothing of what happens then.
 */
import { at } from "../../base/assert.ts";
import { customProperties, type Theme } from "../theme.ts";
import { sameElement, type StageElement } from "./elements.ts";
import type { Frame } from "./frame-types.ts";
import { listenToKeys } from "./keyboard.ts";
import type { Size } from "./layout-types.ts";
import { countdownPlace } from "./marks/job-manager.ts";
import type { MarkContext } from "./marks/context.ts";
import { createMovingLayer } from "./moving.ts";
import { type Anchor, elementAt, listenToPointer } from "./pointer.ts";
import { createScaffold } from "./scaffold.ts";
import { createStructure } from "./structure.ts";
import type { StageText } from "./text.ts";
import { type Step, walk } from "./walk.ts";
import { createZoom } from "./zoom.ts";

export type { Anchor };

export interface StageOptions {
  readonly theme: Theme;
  readonly text: StageText;
  readonly onSelect: (element: StageElement | null) => void;
  readonly onMenu: (element: StageElement, anchor: Anchor) => void;
}

export interface Stage {
  /** Draws a frame; its layout should be made for `size()`. */
  draw(frame: Frame): void;
  /** The room there is, in CSS pixels. */
  size(): Size;
  /** Measures the room anew. */
  resize(): void;
  /** Marks an element as selected; `null`: none. */
  select(element: StageElement | null): void;
  /** Moves the keyboard's focus to an element and brings it into sight. */
  focus(element: StageElement): void;
  readonly zoom: (by: "in" | "out" | "fit") => void;
  restyle(theme: Theme, text: StageText): void;
  destroy(): void;
}

export function createStage(container: HTMLElement, options: StageOptions): Stage {
  const scaffold = createScaffold(container);
  const structure = createStructure(scaffold.world);
  scaffold.world.append(scaffold.countdown);
  const moving = createMovingLayer(scaffold.canvas);
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  let context: MarkContext = { theme: options.theme, text: options.text };
  let frame: Frame | null = null;
  let selected: StageElement | null = null;
  let active: SVGGElement | null = null;
  let channelEnd: "from" | "to" = "to";
  let room: Size = { width: 0, height: 0 };

  const paintMoving = (): void => {
    if (frame !== null) moving.paint(frame, zoom.view(), context.theme, stillness.matches);
  };
  const zoom = createZoom(scaffold.svg, (view) => {
    scaffold.world.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.k})`);
    paintMoving();
  });

  const makeActive = (node: SVGGElement | null): void => {
    if (node === active) return;
    active?.setAttribute("tabindex", "-1");
    active = node;
    active?.setAttribute("tabindex", "0");
  };

  /** One element is always reachable by Tab, also after the one that was is gone. */
  const keepTabStop = (): void => {
    if (active === null || !active.isConnected) makeActive(structure.element({ kind: "subtask", id: 0 }));
  };

  const markSelected = (): void => {
    for (const node of scaffold.world.querySelectorAll(".selected")) node.classList.remove("selected");
    if (selected !== null) structure.element(selected)?.classList.add("selected");
  };

  const focus = (element: StageElement): void => {
    const node = structure.element(element);
    if (node === null) return;
    makeActive(node);
    const { x, y, k } = zoom.view();
    const box = node.getBoundingClientRect();
    const origin = scaffold.svg.getBoundingClientRect();
    zoom.reveal({
      x: (box.x - origin.x - x) / k,
      y: (box.y - origin.y - y) / k,
      width: box.width / k,
      height: box.height / k,
    });
    node.focus({ preventScroll: true });
  };

  const step = (from: StageElement, way: Step): void => {
    if (frame === null) return;
    if (from.kind === "subtask") channelEnd = way === "right" ? "from" : "to";
    const walked = walk({ graph: frame.scene.graph, scene: frame.scene, channelEnd }, from, way);
    if ("edge" in walked) scaffold.say(context.text.noFurther(walked.edge));
    else focus(walked.to);
  };

  const resize = (): void => {
    room = scaffold.measure();
    moving.resize(room, window.devicePixelRatio);
    if (frame !== null) zoom.resize(frame.scene.layout, room);
    paintMoving();
  };

  const style = (): void => {
    for (const [name, value] of Object.entries(customProperties(context.theme)))
      container.style.setProperty(name, value);
    scaffold.label(context.text, zoom.by);
  };

  const draw = (next: Frame): void => {
    const before = frame;
    frame = next;
    const { scene } = next;
    if (scene.layout !== before?.scene.layout) zoom.resize(scene.layout, room);
    if (scene !== before?.scene) {
      structure.paint(scene, context);
      scaffold.describe(context.text.describeStage(scene));
      keepTabStop();
      markSelected();
    }
    drawCountdown(scaffold.countdown, next, context.text);
    paintMoving();
  };

  const stops = [
    listenToPointer(scaffold.svg, { select: options.onSelect, menu: options.onMenu }),
    listenToKeys(scaffold.svg, { select: options.onSelect, menu: options.onMenu, step, zoom: zoom.by }),
  ];
  const focused = (event: FocusEvent): void => makeActive(elementAt(event.target)?.node ?? active);
  scaffold.svg.addEventListener("focusin", focused);
  stillness.addEventListener("change", paintMoving);
  style();
  resize();

  return {
    draw,
    resize,
    focus,
    size: () => room,
    zoom: zoom.by,
    select(element) {
      if (sameElement(element, selected)) return;
      selected = element;
      markSelected();
    },
    restyle(theme, text) {
      context = { theme, text };
      style();
      if (frame !== null) structure.paint(frame.scene, context);
      markSelected();
      paintMoving();
    },
    destroy() {
      for (const stop of stops) stop();
      stillness.removeEventListener("change", paintMoving);
      zoom.destroy();
      container.replaceChildren();
    },
  };
}

/** The one text that runs with time: how long until the job restarts. */
function drawCountdown(node: SVGTextElement, { scene, clock }: Frame, text: StageText): void {
  const { restart } = scene.jobManager;
  const left = restart === null ? -1 : restart.to - clock;
  const words = left < 0 ? "" : text.restartIn(Math.ceil(left / 100) * 100);
  if (node.textContent === words) return;
  const place = countdownPlace(scene.layout);
  node.textContent = words;
  node.setAttribute("x", String(place.x));
  node.setAttribute("y", String(place.y));
  node.setAttribute("text-anchor", at(["start", "end"], scene.layout.orientation === "vertical" ? 1 : 0));
}
