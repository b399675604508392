/** A TaskManager as a chip: its name, and a dot in its state's hue for each subtask that runs on it. */
import type { TaskManagerFrame } from "../frame-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen } from "./pen.ts";

const DOT_STEP = 10;

export function drawTaskManager(pen: Pen, taskManager: TaskManagerFrame, box: Box, { text, theme }: MarkContext): void {
  const { lost, stalled, registered, tones } = taskManager;
  pen.rect(box, `task-manager${lost ? " lost" : registered ? "" : " away"}`, 6);
  if (!lost) pen.rect(box, "task-manager-hatch", 6).attr("fill", "url(#stage-hatch)");
  const middle = box.y + box.height / 2;
  pen.text(box.x + 10, middle + 4.2, taskManager.name, "task-manager-name");
  const right = box.x + box.width - 10;
  if (lost || stalled) {
    pen.text(
      right,
      middle + 4.2,
      fitted(lost ? text.lost() : text.stalled(), box.width - 60),
      "task-manager-lost",
      "end",
    );
    return;
  }
  const most = Math.floor((box.width - 62) / DOT_STEP);
  if (tones.length > most) pen.text(right, middle + 4.2, `×${tones.length}`, "task-manager-count", "end");
  else drawDots(pen, taskManager, right - 4, middle, { text, theme });
}

function drawDots(pen: Pen, { tones }: TaskManagerFrame, right: number, y: number, { theme }: MarkContext): void {
  tones.toReversed().forEach((tone, index) => {
    const { fill, edge } = theme.tones[tone];
    pen
      .circle(right - index * DOT_STEP, y, 3.5, "task-manager-dot")
      .attr("fill", fill)
      .attr("stroke", edge);
  });
}
