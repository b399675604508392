/** Where a token is at a simulated time: a pure function, so that pause, scrub and screenshot all show the same. */
import type { Token } from "./frame-types.ts";
import { type Placed, pointAt } from "./path.ts";

/** Without motion, what is under way stands still at this part of its way. */
const STILL = 0.45;

/** What is lost goes its way for this part of its time, and falls for the rest of it. */
const FALLS = 0.45;
const speeding = (progress: number): number => ((progress - FALLS) / (1 - FALLS)) ** 2;

function easeInOut(t: number): number {
  return t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
}

/** How far a token has come, from 0 at departure to 1 at arrival; `null`: it is not there. */
export function progressOf(token: Token, clock: number): number | null {
  if (clock < token.departure) return null;
  if (clock >= token.arrival) return token.waits ? 1 : null;
  const t = (clock - token.departure) / (token.arrival - token.departure);
  return token.falls === null && ["envelope", "file", "state"].includes(token.kind) ? easeInOut(t) : t;
}

export function placeOf(token: Token, clock: number, still = false): Placed | null {
  const distance = distanceOf(token, clock, still);
  if (distance === null) return null;
  const place = pointAt(token.path, distance);
  const { falls, to } = token;
  return falls === null ? place : { ...place, fallen: Math.max(0, (distance - falls) / (to - falls)) };
}

/** How far along its path a token is. */
export function distanceOf(token: Token, clock: number, still: boolean): number | null {
  // Many pieces of state take one way: without motion each stands where it goes.
  if (still && token.kind === "state") return token.to;
  const progress = progressOf(token, clock);
  if (progress === null) return null;
  // Without motion what is lost lies where it has fallen.
  const { falls, to } = token;
  if (falls !== null)
    return still ? to : progress < FALLS ? (falls * progress) / FALLS : falls + (to - falls) * speeding(progress);
  return token.from + (token.to - token.from) * (still && progress < 1 ? STILL : progress);
}
