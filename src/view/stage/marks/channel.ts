/**
 * A channel: its line, the tray before the receiver, and, while the receiver waits for other barriers, a lock and a hatch
 * over the tray. What is in the channel moves on the canvas above.
 */
import type { ChannelFrame } from "../frame-types.ts";
import type { ChannelPlace, Orientation } from "../layout-types.ts";
import { pointAt, type Point } from "../path.ts";
import { epochColour } from "../../theme.ts";
import type { MarkContext } from "./context.ts";
import type { Pen } from "./pen.ts";

const TRAY_HALF = 7;

export function drawChannel(
  pen: Pen,
  channel: ChannelFrame,
  place: ChannelPlace,
  orientation: Orientation,
  context: MarkContext,
): void {
  const { path } = place;
  pen.path(path.d, "channel-hit");
  pen.path(path.d, "focus-line");
  pen.path(path.d, `channel-line${channel.open ? "" : " closed"}${channel.stalled ? " stalled" : ""}`);
  const end = pointAt(path, path.length);
  const begin = pointAt(path, trayStart(place));
  const trayEnd = pointAt(path, path.length - place.rest);
  drawTray(pen, channel, place, begin, end, orientation);
  drawArrow(pen, end, orientation);
  if (channel.blocked !== null) drawLock(pen, trayEnd, orientation, channel.blocked, context);
  if (channel.queued * 5 >= channel.capacity * 3 && channel.waiting > 1) drawCount(pen, channel, begin, orientation);
}

/** Distance at which the tray begins. */
function trayStart({ path, slot, slots, rest }: ChannelPlace): number {
  return path.length - slot * slots - rest;
}

function drawTray(
  pen: Pen,
  channel: ChannelFrame,
  place: ChannelPlace,
  from: Point,
  to: Point,
  orientation: Orientation,
): void {
  const full = channel.queued >= channel.capacity;
  const name = `tray${channel.waiting > 1 ? " holding" : ""}${full ? " full" : ""}${channel.blocked === null ? "" : " blocked"}`;
  const box =
    orientation === "horizontal"
      ? { x: from.x, y: to.y - TRAY_HALF, width: place.slot * place.slots, height: TRAY_HALF * 2 }
      : { x: to.x - TRAY_HALF, y: from.y, width: TRAY_HALF * 2, height: place.slot * place.slots };
  pen.rect(box, name, 3.5);
  if (channel.blocked !== null) pen.rect(box, "tray-hatch", 3.5).attr("fill", "url(#stage-hatch)");
}

/** Into the receiver. */
function drawArrow(pen: Pen, { x, y }: Point, orientation: Orientation): void {
  pen.path(
    orientation === "horizontal"
      ? `M${x - 5},${y - 4}L${x},${y}L${x - 5},${y + 4}`
      : `M${x - 4},${y - 5}L${x},${y}L${x + 4},${y - 5}`,
    "channel-arrow",
  );
}

/** A padlock in the epoch's colour on the tray's first place, before everything that waits. */
function drawLock(
  pen: Pen,
  { x, y }: Point,
  orientation: Orientation,
  checkpoint: number,
  { theme }: MarkContext,
): void {
  const { fill, numeral } = epochColour(theme, checkpoint);
  const [cx, cy] = orientation === "horizontal" ? [x - 7, y - 1] : [x, y - 8];
  pen.circle(cx, cy + 1, 10.5, "lock-back").attr("stroke", fill);
  pen.path(`M${cx - 3},${cy - 1}v-2.4a3,3 0 0,1 6,0v2.4`, "lock-bow").attr("stroke", fill);
  pen.rect({ x: cx - 4.8, y: cy - 1, width: 9.6, height: 7.4 }, "lock-body", 1.8).attr("fill", fill);
  pen.circle(cx, cy + 2.7, 1.1, "lock-hole").attr("fill", numeral);
}

/** What does not fit into the tray is told by a number. */
function drawCount(pen: Pen, channel: ChannelFrame, from: Point, orientation: Orientation): void {
  const label = `${channel.queued}/${channel.capacity}`;
  if (orientation === "horizontal") pen.text(from.x, from.y - TRAY_HALF - 7, label, "channel-count");
  else pen.text(from.x, from.y - 4, label, "channel-count", "middle");
}
