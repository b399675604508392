/** Who leads: a crown behind the leader's name and its fencing token, and a JobManager in outline that could take over. */
import type { JobManagerFrame } from "../frame-types.ts";
import type { StageLayout } from "../layout-types.ts";
import type { LaterText } from "../text.ts";
import type { MarkContext } from "./context.ts";
import { JOB_RIGHT, leaderName } from "./leader-name.ts";
import { type Pen, textWidth } from "./pen.ts";

export function drawLeader(
  pen: Pen,
  frame: JobManagerFrame,
  { jobManager: box, orientation }: StageLayout,
  context: MarkContext,
  words: LaterText,
): void {
  const wide = orientation === "horizontal";
  const y = box.y + (wide ? 24 : 21);
  const end = box.x + (wide ? 14 : 12) + textWidth(leaderName(frame, context), 12, 600);
  if (frame.leader.present) drawCrown(pen, end + 6, y);
  if (!wide) return;
  if (frame.token !== null) {
    const token = words.token(frame.token);
    const state = textWidth(context.text.jobState(frame.look.label), 15, 650);
    if (28 + state + 4 + textWidth(token) < JOB_RIGHT)
      pen.text(box.x + JOB_RIGHT - 4, box.y + 50, token, "panel-quiet", "end");
  }
  if (frame.leader.standby) drawStandby(pen, words.standby(), box.x + JOB_RIGHT - 4, y);
}

function drawCrown(pen: Pen, x: number, y: number): void {
  pen.path(`M${x},${y - 8.5}l3,3l3,-4.5l3,4.5l3,-3l-1,8.5h-10Z`, "crown");
}

/** A JobManager like the other, but only in outline. */
function drawStandby(pen: Pen, name: string, right: number, y: number): void {
  const width = textWidth(name) + 10;
  pen.rect({ x: right - width, y: y - 13, width, height: 18 }, "standby", 5);
  pen.text(right - width / 2, y, name, "panel-quiet", "middle");
}
