/**
 * What tells a channel from one that streams: a gap with a spark where a failure broke it, a double line into a store
 * where its result is handed over once all of it is there (`ResultPartitionType.BLOCKING`).
 */
import { at } from "../../../base/assert.ts";
import type { ChannelFrame, Scene, SubtaskFrame } from "../frame-types.ts";
import type { ChannelPlace, Orientation } from "../layout-types.ts";
import { type Placed, pointAt } from "../path.ts";
import type { Pen } from "./pen.ts";

export type Link = "broken" | "blocking";

const taken: ReadonlySet<string> = new Set(["CANCELING", "CANCELED", "FAILED"]);

/** A failure has taken one of its ends, or the task there is started again and has not come to it. */
function isBroken({ open, id }: ChannelFrame, { graph, subtasks }: Scene): boolean {
  if (open) return false;
  const { from, to } = at(graph.channels, id);
  return [from, to].some((end) => isTaken(at(subtasks, end)));
}

function isTaken({ dead, attempt, look }: SubtaskFrame): boolean {
  return dead || taken.has(look.label) || (attempt > 0 && look.label !== "RUNNING" && look.label !== "FINISHED");
}

/** Of what is drawn singly; `null`: its line says all. */
export function linkOf(channel: ChannelFrame, scene: Scene): Link | null {
  if (isBroken(channel, scene)) return "broken";
  const { exchange } = at(scene.graph.edges, at(scene.graph.channels, channel.id).edge);
  return exchange === "BLOCKING" ? "blocking" : null;
}

export function drawLink(pen: Pen, link: Link, place: ChannelPlace, orientation: Orientation): void {
  const { path, slot, slots, rest } = place;
  if (link === "broken") drawGap(pen, pointAt(path, path.length / 2));
  else {
    const tray = path.length - slot * slots - rest;
    for (const line of ["channel-double", "channel-between"])
      pen.path(path.d, line).attr("stroke-dasharray", `${tray} ${path.length}`);
    drawStore(pen, pointAt(path, tray), orientation);
  }
}

/** Cuts the line across its way, with a spark between the ends. */
function drawGap(pen: Pen, { x, y, angle }: Placed): void {
  const [along, across] = [Math.cos(angle) * 8, Math.sin(angle) * 8];
  pen.path(`M${x - along},${y - across}L${x + along},${y + across}`, "channel-gap");
  pen.path(`M${x + 2},${y - 8}l-5,8h6l-5,8`, "channel-spark");
}

/** A cylinder before the tray. */
function drawStore(pen: Pen, { x, y }: Placed, orientation: Orientation): void {
  const [cx, cy] = orientation === "horizontal" ? [x - 9, y] : [x, y - 9];
  pen.path(`M${cx - 5},${cy - 4}a5,2 0 0,1 10,0v8a5,2 0 0,1 -10,0Zm0,0a5,2 0 0,0 10,0`, "channel-store");
}
