/** A TaskManager as a chip with a hatched ground: its name and the subtasks that run on it. */
import type { TaskManagerFrame } from "../frame-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen } from "./pen.ts";

export function drawTaskManager(pen: Pen, taskManager: TaskManagerFrame, box: Box, { text }: MarkContext): void {
  pen.clear();
  pen.rect(box, `task-manager${taskManager.lost ? " lost" : ""}`, 6);
  if (!taskManager.lost) pen.rect(box, "task-manager-hatch", 6).attr("fill", "url(#stage-hatch)");
  const middle = box.y + box.height / 2;
  pen.text(box.x + 10, middle + 4.2, taskManager.name, "task-manager-name");
  const word = taskManager.lost ? text.lost() : taskManager.stalled ? text.stalled() : `${taskManager.subtasks.length}`;
  pen.text(
    box.x + box.width - 10,
    middle + 4.2,
    fitted(word, box.width - 60),
    taskManager.lost ? "task-manager-lost" : "task-manager-count",
    "end",
  );
}
