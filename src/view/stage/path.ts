/**
 * Lines that things move along: sampled once, then asked for the point at a distance. Plain data, so that a layout can
 * cross threads.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Path {
  /** SVG path data. */
  readonly d: string;
  /** x and y of each sample, in turn. */
  readonly points: readonly number[];
  /** Distance of each sample from the begin. */
  readonly distances: readonly number[];
  readonly length: number;
}

/** A point on a path and the direction of travel there, in radians. */
export interface Placed extends Point {
  readonly angle: number;
  /** Of what is lost: how far it has fallen off its way, from 0 to 1. */
  readonly fallen?: number;
}

/** Straight to a point, or a cubic curve with two handles. */
export type Segment = { readonly to: Point; readonly handles?: readonly [Point, Point] };

const CURVE_SAMPLES = 20;

export function makePath(from: Point, segments: readonly Segment[]): Path {
  const points: number[] = [from.x, from.y];
  let d = `M${coordinate(from)}`;
  let last = from;
  for (const { to, handles } of segments) {
    if (handles === undefined) {
      points.push(to.x, to.y);
      d += `L${coordinate(to)}`;
    } else {
      for (let i = 1; i <= CURVE_SAMPLES; i++) pushCurvePoint(points, last, handles, to, i / CURVE_SAMPLES);
      d += `C${coordinate(handles[0])} ${coordinate(handles[1])} ${coordinate(to)}`;
    }
    last = to;
  }
  const distances = distancesOf(points);
  return { d, points, distances, length: distances[distances.length - 1] ?? 0 };
}

function pushCurvePoint(points: number[], from: Point, [a, b]: readonly [Point, Point], to: Point, t: number): void {
  const s = 1 - t;
  const w = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t] as const;
  points.push(
    w[0] * from.x + w[1] * a.x + w[2] * b.x + w[3] * to.x,
    w[0] * from.y + w[1] * a.y + w[2] * b.y + w[3] * to.y,
  );
}

function distancesOf(points: readonly number[]): number[] {
  const distances = [0];
  for (let i = 2; i < points.length; i += 2) {
    const step = Math.hypot(num(points, i) - num(points, i - 2), num(points, i + 1) - num(points, i - 1));
    distances.push(num(distances, distances.length - 1) + step);
  }
  return distances;
}

function num(array: readonly number[], index: number): number {
  return array[index] ?? 0;
}

function coordinate(point: Point): string {
  return `${round(point.x)},${round(point.y)}`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The place `distance` from the begin; before it and behind the end, the ends. */
export function pointAt(path: Path, distance: number): Placed {
  const { points, distances } = path;
  let low = 1;
  let high = distances.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (num(distances, middle) < distance) low = middle + 1;
    else high = middle;
  }
  const from = num(distances, low - 1);
  const span = num(distances, low) - from;
  const t = span === 0 ? 0 : Math.min(Math.max((distance - from) / span, 0), 1);
  const x = num(points, low * 2 - 2);
  const y = num(points, low * 2 - 1);
  const dx = num(points, low * 2) - x;
  const dy = num(points, low * 2 + 1) - y;
  return { x: x + dx * t, y: y + dy * t, angle: Math.atan2(dy, dx) };
}
