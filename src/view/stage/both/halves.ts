/**
 * One picture of two runs, as data: which elements of two scenes with one layout are not the same. What they have in
 * common is drawn once and whole; of the others one half is drawn as the first scene has it, the other as the second has.
 */
import { keepSame } from "../frame-same.ts";
import type { StageElement } from "../elements.ts";
import type { Frame, Scene, Token } from "../frame-types.ts";
import { placeOf } from "../motion.ts";
import type { Box } from "../path.ts";
import type { Layer } from "../painter.ts";
import type { StageText } from "../text.ts";

/** `a`, `b`: only that scene has it. */
export type Half = "differs" | "a" | "b";

interface Numbered {
  readonly id: number;
}

type Part = (scene: Scene) => readonly Numbered[];

const vertices: Part = ({ vertices: all }) => all;
const edges: Part = ({ edges: all }) => all;
const summaries: Part = ({ summaries: all }) => all;

/** What each layer draws of a scene. Layers that are not here have nothing of their own, or are told by another. */
const parts = {
  vertices,
  headings: vertices,
  names: vertices,
  regions: ({ regions }: Scene) => regions,
  edges,
  ships: edges,
  channels: ({ channels }: Scene) => channels,
  subtasks: ({ subtasks }: Scene) => subtasks,
  loads: ({ loads }: Scene) => loads,
  vertexLoads: ({ vertexLoads }: Scene) => vertexLoads,
  summaries,
  mores: summaries,
  ghosts: ({ subtasks }: Scene) => subtasks,
  rows: ({ subtasks }: Scene) => subtasks,
  transactions: ({ subtasks }: Scene) => subtasks.flatMap(({ transactions }) => transactions),
  timeouts: ({ subtasks }: Scene) => subtasks,
  jobManager: ({ jobManager }: Scene) => [jobManager],
  leader: ({ jobManager }: Scene) => [jobManager],
  checkpoints: ({ jobManager }: Scene) => jobManager.current,
  stored: ({ storage }: Scene) => storage.checkpoints,
  inputs: ({ inputs }: Scene) => inputs,
  outputs: ({ outputs }: Scene) => outputs,
  entries: ({ outputs }: Scene) => outputs,
  // One group that tells of all of them.
  readers: ({ outputs }: Scene) => [{ id: -1, outputs }],
  taskManagers: ({ taskManagers }: Scene) => taskManagers,
} satisfies { readonly [L in Layer]?: Part };

export type HalvedLayer = keyof typeof parts;
export const halvedLayers = Object.keys(parts) as readonly HalvedLayer[];

/** By layer, by number: what is not the same. */
export type Halves = { readonly [L in HalvedLayer]: ReadonlyMap<number, Half> };

export function halvesOf(a: Scene, b: Scene): Halves {
  const made = halvedLayers.map((layer) => [layer, halvesIn(parts[layer](a), parts[layer](b))] as const);
  return Object.fromEntries(made) as { [L in HalvedLayer]: ReadonlyMap<number, Half> };
}

function halvesIn(as: readonly Numbered[], bs: readonly Numbered[]): ReadonlyMap<number, Half> {
  const found = new Map<number, Half>();
  const others = new Map(bs.map((each) => [each.id, each]));
  for (const each of as) {
    const other = others.get(each.id);
    if (other === undefined) found.set(each.id, "a");
    else if (keepSame<Numbered>(each, other) !== each) found.set(each.id, "differs");
  }
  const known = new Set(as.map(({ id }) => id));
  for (const { id } of bs) if (!known.has(id)) found.set(id, "b");
  return found;
}

type Said = (scene: Scene, id: number, text: StageText) => string | null;

/** `null`: the scene does not have it. */
const saying =
  <T extends Numbered>(all: (scene: Scene) => readonly T[], say: (text: StageText, datum: T) => string): Said =>
  (scene, id, text) => {
    const datum = all(scene).find((each) => each.id === id);
    return datum === undefined ? null : say(text, datum);
  };

/** States in words: what a half may be too small to tell. */
const states: { readonly [L in HalvedLayer]?: Said } = {
  subtasks: saying(parts.subtasks, (text, { look }) => text.taskState(look.label)),
  jobManager: saying(parts.jobManager, (text, { look }) => text.jobState(look.label)),
  checkpoints: saying(parts.checkpoints, (text, { look }) => text.checkpointState(look.label)),
  stored: saying(parts.stored, (text, { look }) => text.checkpointState(look.label)),
};

/** The states of an element where both scenes have it, and they are not the same. */
export function statesOf(
  layer: HalvedLayer,
  id: number,
  a: Scene,
  b: Scene,
  text: StageText,
): { readonly a: string; readonly b: string } | null {
  const [inA = null, inB = null] = [a, b].map((scene) => states[layer]?.(scene, id, text) ?? null);
  return inA === null || inB === null || inA === inB ? null : { a: inA, b: inB };
}

/** Elements that are not the same, in the order in which they are told: those that a person can go to. */
export function differing(halves: Halves): readonly (readonly [StageElement, Half])[] {
  const kinds = {
    jobManager: halves.jobManager,
    checkpoint: new Map([...halves.stored, ...halves.checkpoints]),
    subtask: halves.subtasks,
    transaction: halves.transactions,
    channel: halves.channels,
    edge: halves.ships,
    taskManager: halves.taskManagers,
    input: halves.inputs,
    output: halves.outputs,
  } as const;
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
    [...kinds[kind]].map(([id, half]) => [{ kind, id }, half] as const),
  );
}

/** The part of a box that shows one of the scenes; `share`: how much of it is the second's, from 0 to 1. */
export function halfOf(box: Box, side: "a" | "b", share: number): Box {
  const split = box.width * (1 - share);
  return side === "a" ? { ...box, width: split } : { ...box, x: box.x + split, width: box.width - split };
}

/** Things on their way that both frames have at the same place; a pair is drawn once. */
export function sharedTokens(a: Frame, b: Frame, still: boolean): ReadonlySet<Token> {
  const waiting = new Map<string, Token[]>();
  for (const token of b.scene.tokens) {
    const key = tokenKey(token, b.clock, still);
    if (key !== null) waiting.set(key, [...(waiting.get(key) ?? []), token]);
  }
  const shared = new Set<Token>();
  for (const token of a.scene.tokens) {
    const key = tokenKey(token, a.clock, still);
    const other = key === null ? undefined : waiting.get(key)?.pop();
    if (other === undefined) continue;
    shared.add(token);
    shared.add(other);
  }
  return shared;
}

/** All that is seen of a token; `null`: nothing is. */
function tokenKey(token: Token, clock: number, still: boolean): string | null {
  const place = placeOf(token, clock, still);
  if (place === null) return null;
  const { kind, mark, letter, pass, captured, restored, overtakes } = token;
  return JSON.stringify([
    kind,
    mark,
    letter,
    pass,
    place.fallen ?? null,
    captured,
    restored,
    overtakes,
    Math.round(place.x),
    Math.round(place.y),
  ]);
}
