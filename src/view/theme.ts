/**
 * Every colour of the picture, light and dark, by what it means. The canvas reads these values; SVG and panels read the
 * custom properties made from them. Contrasts are computed in the test beside this file.
 */
import { type LoadKind, loadKinds } from "../projection/load-view.ts";
import type { Tone } from "./machines/presentations.ts";

/** A state's hue, an edge that reaches 3:1 on the canvas, for swatches that stand without text. */
export interface Hue {
  readonly fill: string;
  readonly edge: string;
}

export interface EpochColour {
  readonly fill: string;
  /** The numeral on the fill. */
  readonly numeral: string;
}

export type Outcome = "OK" | "DUPLICATE" | "LOSS" | "STUCK";

export interface Theme {
  readonly name: "light" | "dark";
  /** What others hatch is solid here, with a letter where its hatch alone told it. */
  readonly solid?: true;
  readonly canvas: string;
  readonly surface: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly line: string;
  readonly hairline: string;
  readonly link: string;
  readonly focus: string;
  readonly danger: string;
  readonly warning: string;
  readonly record: string;
  readonly epochs: readonly [EpochColour, EpochColour, EpochColour, EpochColour];
  readonly outcomes: { readonly [O in Outcome]: { readonly fill: string; readonly text: string } };
  readonly tones: { readonly [T in Tone]: Hue };
  /** How a thread spends its time, as Flink's job graph colours it. */
  readonly load: { readonly [K in LoadKind]: string };
}

/** Hues of Flink's own dashboard. */
const hues = {
  created: "#2f54eb",
  scheduled: "#722ed1",
  deploying: "#13c2c2",
  initializing: "#738df8",
  running: "#52c41a",
  finished: "#1890ff",
  canceling: "#faad14",
  canceled: "#fa8c16",
  failed: "#f5222d",
} as const;

function same(colour: string): Hue {
  return { fill: colour, edge: colour };
}

export const light: Theme = {
  name: "light",
  canvas: "#FFFFFF",
  surface: "#F4F6F9",
  text: "#141A22",
  text2: "#4A5563",
  text3: "#5E6A79",
  line: "#7D8898",
  hairline: "#D5DBE3",
  link: "#0B57C2",
  focus: "#0A58CA",
  danger: "#C2261A",
  warning: "#7A4F00",
  record: "#3B4656",
  epochs: [
    { fill: "#2F69C9", numeral: "#FFFFFF" },
    { fill: "#114D33", numeral: "#FFFFFF" },
    { fill: "#A0631A", numeral: "#FFFFFF" },
    { fill: "#4A2470", numeral: "#FFFFFF" },
  ],
  outcomes: {
    OK: { fill: "#1C7F7D", text: "#136462" },
    DUPLICATE: { fill: "#AD7C00", text: "#7A5500" },
    LOSS: { fill: "#7E1710", text: "#7E1710" },
    STUCK: { fill: "#332475", text: "#332475" },
  },
  tones: {
    created: { fill: hues.created, edge: "#1d39c4" },
    scheduled: { fill: hues.scheduled, edge: "#531dab" },
    deploying: { fill: hues.deploying, edge: "#08979c" },
    initializing: { fill: hues.initializing, edge: "#4A63D8" },
    running: { fill: hues.running, edge: "#389e0d" },
    finished: { fill: hues.finished, edge: "#096dd9" },
    canceling: { fill: hues.canceling, edge: "#ad6800" },
    canceled: { fill: hues.canceled, edge: "#ad4e00" },
    failed: { fill: hues.failed, edge: "#cf1322" },
    pending: { fill: hues.canceling, edge: "#ad6800" },
    completed: { fill: hues.finished, edge: "#096dd9" },
    muted: same("#7D8898"),
    open: same("#5A6B85"),
    prepared: same("#7A4F00"),
    committed: same("#1C7F7D"),
    aborted: same("#5E6A79"),
    timedOut: same("#7E1710"),
  },
  load: { idle: "#1677D2", busy: "#D61F2C", backpressured: "#000000" },
};

export const dark: Theme = {
  name: "dark",
  canvas: "#0E131A",
  surface: "#18202B",
  text: "#E8EDF4",
  text2: "#A9B4C2",
  text3: "#8D99A8",
  line: "#6C7A8D",
  hairline: "#2B3644",
  link: "#8CC8FF",
  focus: "#8CC8FF",
  danger: "#FF7A6E",
  warning: "#FFC978",
  record: "#C9D3E0",
  epochs: [
    { fill: "#4F8DF2", numeral: "#0E131A" },
    { fill: "#A4F9BF", numeral: "#0E131A" },
    { fill: "#D58A14", numeral: "#0E131A" },
    { fill: "#F0D5FB", numeral: "#0E131A" },
  ],
  outcomes: {
    OK: { fill: "#B3F2EC", text: "#B3F2EC" },
    DUPLICATE: { fill: "#FDDF2F", text: "#FDDF2F" },
    LOSS: { fill: "#E5707A", text: "#E5707A" },
    STUCK: { fill: "#9A8FE4", text: "#9A8FE4" },
  },
  tones: {
    created: { fill: hues.created, edge: "#85A5FF" },
    scheduled: { fill: hues.scheduled, edge: "#B37FEB" },
    deploying: same(hues.deploying),
    initializing: same(hues.initializing),
    running: same(hues.running),
    finished: same(hues.finished),
    canceling: same(hues.canceling),
    canceled: same(hues.canceled),
    failed: { fill: hues.failed, edge: "#FF7875" },
    pending: same(hues.canceling),
    completed: same(hues.finished),
    muted: same("#6C7A8D"),
    open: same("#9FB0C9"),
    prepared: same("#FFC978"),
    committed: same("#B3F2EC"),
    aborted: same("#8D99A8"),
    timedOut: same("#E5707A"),
  },
  load: { idle: "#5DB1FF", busy: "#FF5C62", backpressured: "#F2F5FA" },
};

/** The colour of a checkpoint's epoch: four cycle, and the numeral on the mark tells which it is. */
export function epochColour(theme: Theme, checkpoint: number): EpochColour {
  return theme.epochs[(checkpoint & 3) as 0 | 1 | 2 | 3];
}

/** How much of a load's colour is in the ground of what bears it. */
const TINT = 0.14;

/** The ground of a vertex: the surface, tinted by how its busiest subtask spends its time, as Flink blends it. */
export function loadGround({ surface, load }: Theme, shares: { readonly [K in LoadKind]: number } | null): string {
  if (shares === null) return surface;
  const [r, g, b] = [0, 1, 2].map((place) => {
    const of = (colour: string): number => Number.parseInt(colour.slice(1 + place * 2, 3 + place * 2), 16);
    const blend = loadKinds.reduce((sum, kind) => sum + (of(load[kind]) * shares[kind]) / 100, 0);
    return Math.round(of(surface) * (1 - TINT) + blend * TINT);
  }) as [number, number, number];
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Custom properties for whoever wants to style by them: `--canvas`, `--tone-running-edge`, `--epoch-0`, … */
export function customProperties(theme: Theme): Record<`--${string}`, string> {
  const properties: Record<`--${string}`, string> = {};
  for (const [name, value] of Object.entries(theme))
    if (typeof value === "string") properties[`--${name.replace(/\d/, "-$&")}`] = value;
  theme.epochs.forEach(({ fill, numeral }, slot) => {
    properties[`--epoch-${slot}`] = fill;
    properties[`--epoch-${slot}-numeral`] = numeral;
  });
  for (const [outcome, { fill, text }] of Object.entries(theme.outcomes)) {
    properties[`--outcome-${outcome.toLowerCase()}`] = fill;
    properties[`--outcome-${outcome.toLowerCase()}-text`] = text;
  }
  for (const kind of loadKinds) properties[`--load-${kind}`] = theme.load[kind];
  for (const [tone, { fill, edge }] of Object.entries(theme.tones)) {
    properties[`--tone-${tone}`] = fill;
    properties[`--tone-${tone}-edge`] = edge;
  }
  return properties;
}
