/** A committer that is a task of its own: it writes nothing, and begins by committing what it is restored with. */
import { Task } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { type Sink, noTimer, opened } from "./sink.ts";

export function committerTask(own: Pick<Sink, "barrier" | "commit" | "replied" | "receive">): Sink {
  return {
    ...own,
    write: () => {},
    arrive: () => {},
    begin: () => {},
    snapshotTaken: () => {},
    open: (k, task, operator) =>
      k.next(Op.commitNext, task, task, operator, k.world.task(task, Task.restore), Decider.restore),
    start: opened,
    timer: noTimer,
    close: () => {},
  };
}
