/** How the thread of an attempt comes to its end. */
import { at } from "../base/assert.ts";
import { ownSubtask } from "./own.ts";
import type { RunView } from "./views.ts";

/** The thread closes its operators: what it had in hand, and what was on its way to the log, is gone (FR-008). */
export function threadCloses(view: RunView, subtask: number): void {
  if (at(view.subtasks, subtask).thread === "ended") return;
  const node = ownSubtask(view, subtask);
  node.thread = "closing";
  node.work = null;
  node.stalled = null;
  for (const sink of node.sinks) sink.unwritten = [];
}
