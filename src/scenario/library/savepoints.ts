import { barriersAfterEveryFourth } from "./base.ts";
import { linear } from "./linear.ts";

const saves = (verb: string): object => ({
  at: { after: "RecordEmitted", record: "in-0@9" },
  do: verb,
  path: "s3://demo/savepoints",
});

/** A savepoint between two checkpoints: it has a number of its own, no recovery uses it, and the next checkpoint commits. */
export const savepoint = {
  ...linear,
  id: "savepoint",
  title: { en: "A savepoint between two checkpoints", zh: "两次 Checkpoint 之间的 Savepoint" },
  faults: [...barriersAfterEveryFourth, saves("trigger-savepoint")],
};

/** The job ends with a savepoint that commits: sources stop, tasks wait for its notification, two records stay unread. */
export const stop = {
  ...linear,
  id: "stop-with-savepoint",
  title: { en: "Stop with savepoint", zh: "以 Savepoint 停止作业" },
  faults: [...barriersAfterEveryFourth.slice(0, 2), saves("stop-with-savepoint")],
};
