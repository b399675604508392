/** A TaskManager as a machine: its name, and its slots with a dot in its state's hue for each subtask in them. */
import type { TaskManagerFrame } from "../frame-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

const DOT = 10;
const GAP = 4;
/** An empty slot is as wide as one with a subtask. */
const widthOf = (dots: number): number => Math.max(1, dots) * DOT + 4;

export function drawTaskManager(pen: Pen, taskManager: TaskManagerFrame, box: Box, context: MarkContext): void {
  const { lost, stalled, registered, slots, name, subtasks } = taskManager;
  pen.rect(box, `task-manager${lost ? " lost" : registered ? "" : " away"}`, 6);
  if (!lost) pen.rect(box, "task-manager-hatch", 6).attr("fill", "url(#stage-hatch)");
  const baseline = box.y + box.height / 2 + 4.2;
  const right = box.x + box.width - 8;
  const room = box.width - 26 - textWidth(name, 12, 600);
  const count = `×${subtasks.length}`;
  // Of many machines each has room for its name alone; the rest is told where one of them is selected.
  if (room < textWidth(count)) {
    pen.text(box.x + box.width / 2, baseline, fitted(name, box.width - 6, 12, 600), "task-manager-name", "middle");
    return;
  }
  pen.text(box.x + 10, baseline, name, "task-manager-name");
  if (lost || stalled) {
    const words = lost ? context.text.lost() : context.text.stalled();
    pen.text(right, baseline, fitted(words, room), "task-manager-lost", "end");
  } else if (slots.reduce((sum, dots) => sum + widthOf(dots.length) + GAP, -GAP) <= room)
    drawSlots(pen, taskManager, right, box.y + box.height / 2, context);
  else pen.text(right, baseline, count, "task-manager-count", "end");
}

function drawSlots(pen: Pen, { slots }: TaskManagerFrame, right: number, y: number, { theme }: MarkContext): void {
  let end = right;
  for (const dots of slots.toReversed()) {
    const width = widthOf(dots.length);
    pen.rect({ x: end - width, y: y - 8, width, height: 16 }, "task-manager-slot", 4);
    dots.forEach((tone, index) => {
      const { fill, edge } = theme.tones[tone];
      pen
        .circle(end - width + 7 + index * DOT, y, 3.5, "task-manager-dot")
        .attr("fill", fill)
        .attr("stroke", edge);
    });
    end -= width + GAP;
  }
}
