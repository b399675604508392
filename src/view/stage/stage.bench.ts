/**
 * The stage in a browser beside React Flow and cytoscape.js, in one run: the first picture of 2,000 subtasks with 20,000
 * channels, main-thread milliseconds a frame with 2,000 movers on 200 channels, and how many movers a frame of 60 a second
 * has time for. `scripts/bench-stage.mjs` builds and opens it and prints what `window.results` resolves to.
 */
import { enStage } from "../../ui/text/en-stage.ts";
import { light } from "../theme.ts";
import { cytoscapeJs, type Draw, type Drawn, reactFlow } from "./bench-peers.bench.ts";
import { firstScene, lineOf, movers, turn } from "./bench-job.bench.ts";
import type { Token } from "./frame-types.ts";
import { drawDots } from "./marks/crowd.ts";
import { rare } from "./marks/rare.ts";
import { drawToken, setLabels } from "./marks/tokens.ts";
import { placeOf } from "./motion.ts";
import { createStage } from "./stage.ts";

const host = document.querySelector<HTMLElement>("#host") as HTMLElement;
const room = { width: 1200, height: 800 };
const FRAME = 1000 / 60;
const nothing = (): void => undefined;

const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));

const stage: Draw = (element, scene, tokens) => {
  const made = createStage(element, {
    still: () => false,
    theme: light,
    text: enStage,
    onSelect: nothing,
    onInspect: nothing,
    onMenu: nothing,
    onFold: nothing,
  });
  const draw = (clock: number): void =>
    made.draw({ scene: { ...scene, tokens: tokens.map((token) => turn(token, clock)) }, clock });
  made.draw({ scene: { ...scene, tokens }, clock: 0 });
  return { move: draw, remove: () => made.destroy() };
};

/** The stage's own way to draw records, without the rest of the stage: as dots or as glyphs, whatever their number. */
function canvasOnly(look: "dot" | "glyph"): Draw {
  return (element, _scene, tokens) => {
    const canvas = document.createElement("canvas");
    canvas.width = room.width;
    canvas.height = room.height;
    element.append(canvas);
    const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
    setLabels(pen);
    return {
      move(clock) {
        pen.clearRect(0, 0, room.width, room.height);
        const placed = tokens.flatMap((mover) => {
          const token = turn(mover, clock);
          const place = placeOf(token, clock);
          return place === null ? [] : [{ token, place }];
        });
        if (look === "dot") drawDots(pen, placed, 1, light);
        else for (const { token, place } of placed) drawToken(pen, token, place, light, rare);
      },
      remove: () => canvas.remove(),
    };
  };
}

/** Milliseconds until the picture has been painted, the best of so many times. */
async function firstPicture(draw: Draw, scene: Awaited<ReturnType<typeof firstScene>>, times: number): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < times; round++) {
    await frame();
    const begin = performance.now();
    const drawn = draw(host, scene, []);
    await frame();
    await frame();
    took.push(performance.now() - begin);
    drawn.remove();
    host.replaceChildren();
  }
  return Math.min(...took);
}

/** Median milliseconds of a frame in which everything moves: of the call alone, and from frame to frame. */
async function perFrame(drawn: Drawn, frames: number): Promise<{ call: number; interval: number }> {
  const calls: number[] = [];
  const intervals: number[] = [];
  let before = await frame();
  for (let index = 0; index < frames; index++) {
    const begin = performance.now();
    drawn.move(index * 17);
    calls.push(performance.now() - begin);
    const now = await frame();
    intervals.push(now - before);
    before = now;
  }
  const median = (list: readonly number[]): number => list.toSorted((x, y) => x - y)[Math.floor(frames / 2)] ?? 0;
  return { call: median(calls), interval: median(intervals) };
}

type SmallScene = Awaited<ReturnType<typeof firstScene>>;

async function timed(
  draw: Draw,
  scene: SmallScene,
  count: number,
  frames: number,
): Promise<{ call: number; interval: number }> {
  const tokens: Token[] = movers(scene, count);
  const drawn = draw(host, scene, tokens);
  const times = await perFrame(drawn, frames);
  drawn.remove();
  host.replaceChildren();
  return times;
}

/** What a frame costs the main thread: the call, or, of who paints later and misses frames, the time between them. */
async function costOf(draw: Draw, scene: SmallScene, count: number, frames: number): Promise<number> {
  const { call, interval } = await timed(draw, scene, count, frames);
  return interval > FRAME * 1.5 ? Math.max(call, interval) : call;
}

/** How many movers a frame has time for: doubled while they fit, the last number told by the cost of one. */
async function tokensAt60(draw: Draw, scene: SmallScene): Promise<number> {
  let count = 25;
  let cost = await costOf(draw, scene, count, 15);
  while (cost < FRAME && count < 400_000) {
    count *= 2;
    cost = await costOf(draw, scene, count, 15);
  }
  return Math.round((count * FRAME) / cost);
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function results(): Promise<unknown> {
  const large = await firstScene(lineOf(20, 100, 2), room);
  // Small enough that all its channels are drawn singly.
  const small = await firstScene(lineOf(26, 4, 8), room);
  const counts = {
    large: { subtasks: large.graph.subtasks.length, channels: large.graph.channels.length },
    small: { subtasks: small.graph.subtasks.length, channels: small.graph.channels.length },
  };
  const peers = { stage, reactFlow, cytoscape: cytoscapeJs };
  const first: Record<string, number> = {};
  const cost: Record<string, number> = {};
  for (const [name, draw] of Object.entries(peers)) {
    first[name] = round(await firstPicture(draw, large, name === "reactFlow" ? 1 : 3));
    cost[name] = round(await costOf(draw, small, 2000, name === "reactFlow" ? 10 : 60));
  }
  // Of the large job with 200 movers: one frame of React Flow takes seconds.
  const fps: Record<string, number> = {};
  for (const [name, draw] of Object.entries(peers))
    fps[name] = round(1000 / (await timed(draw, large, 200, name === "reactFlow" ? 3 : 40)).interval);
  const tokens: Record<string, number> = {};
  for (const [name, draw] of Object.entries({
    stageDots: canvasOnly("dot"),
    stageGlyphs: canvasOnly("glyph"),
    reactFlow,
    cytoscape: cytoscapeJs,
  }))
    tokens[name] = await tokensAt60(draw, small);
  const ratio = (of: number | undefined, to: number | undefined): number => round((of ?? 0) / (to ?? 1));
  return {
    counts,
    firstPictureMs: first,
    frameMsWith2000Movers: cost,
    framesPerSecondAt20000Channels: fps,
    tokensAt60Fps: tokens,
    ratios: {
      firstPicture: {
        reactFlow: ratio(first["reactFlow"], first["stage"]),
        cytoscape: ratio(first["cytoscape"], first["stage"]),
      },
      frame: { reactFlow: ratio(cost["reactFlow"], cost["stage"]), cytoscape: ratio(cost["cytoscape"], cost["stage"]) },
      framesPerSecond: {
        reactFlow: ratio(fps["stage"], fps["reactFlow"]),
        cytoscape: ratio(fps["stage"], fps["cytoscape"]),
      },
      dots: {
        reactFlow: ratio(tokens["stageDots"], tokens["reactFlow"]),
        cytoscape: ratio(tokens["stageDots"], tokens["cytoscape"]),
      },
      glyphs: {
        reactFlow: ratio(tokens["stageGlyphs"], tokens["reactFlow"]),
        cytoscape: ratio(tokens["stageGlyphs"], tokens["cytoscape"]),
      },
    },
  };
}

Object.assign(window, { results: results() });
