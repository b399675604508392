/** Words of the stage that no first picture has: its legend. */
import type { LegendMark } from "../../view/stage/marks/legend.ts";
import type { LaterText } from "../../view/stage/text.ts";

const legend: { readonly [M in LegendMark]: string } = {
  uncommitted: "not committed yet",
  gone: "gone: retention",
  blocked: "waits for barriers",
  locked: "an input is locked",
  acknowledged: "has acknowledged",
  storing: "being stored",
  stored: "stored in flight",
  restored: "from channel state",
  overtakes: "overtakes records",
  lost: "a message is lost",
  given: "← [0] of old subtask 0",
  alignment: "unaligned here",
  cause: "slow: holds others up",
  timeout: "until its timeout",
  restarts: "restarts together",
  broken: "connection broken",
  blocking: "read once it is whole",
  ghost: "lost, until replayed",
};

export const enLater: LaterText = {
  legend: (mark) => legend[mark],
  ownedBy: (owner, job) => (owner === "user" ? `yours, job ${job}` : `Flink, job ${owner}`),
  left: (ms) => (ms >= 120_000 ? `${Math.ceil(ms / 60_000)} min` : `${ms / 1000} s`),
  earlier: (count) => `+${count} of earlier jobs`,
  standby: () => "standby",
  token: (token) => `token …${token.slice(-2)}`,
  highlight: (mark) => `Show on the stage: ${legend[mark]}`,
};
