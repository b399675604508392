import { expect, test } from "vitest";
import type { Cell } from "../scenario/guarantees/kinds.ts";
import { nameOfCell } from "../scenario/guarantees/kinds.ts";
import { GuaranteePool } from "./guarantee-pool.ts";
import type { GuaranteeReply } from "./port.ts";
import { inProcessPool } from "./testing/in-process.ts";

const cells: readonly Cell[] = [
  { source: "kafka-source", mode: "off, no restart", sink: "print-sink" },
  { source: "socket-source", mode: "off, no restart", sink: "print-sink" },
];

function ended(pool: GuaranteePool, each: (reply: GuaranteeReply) => void = () => {}): Promise<GuaranteeReply[]> {
  const replies: GuaranteeReply[] = [];
  return new Promise((resolve) => {
    pool.subscribe((reply) => {
      replies.push(reply);
      each(reply);
      if (reply.type === "finished") resolve(replies);
    });
  });
}

const told = (replies: readonly GuaranteeReply[]): string[] =>
  replies.map((reply) =>
    reply.type === "cell" ? `${reply.done}/${reply.total} ${nameOfCell(reply.result.cell)}` : reply.type,
  );

test("each cell is told when it is there; one that is paused in between goes on where it was", async () => {
  const pool = new GuaranteePool(cells, inProcessPool());
  const replies = await ended(pool, ({ type }) => {
    if (type !== "cell") return;
    pool.pause();
    setTimeout(() => pool.resume(), 5);
  });
  expect(told(replies)).toEqual([
    "1/2 kafka-source · off, no restart · print-sink",
    "2/2 socket-source · off, no restart · print-sink",
    "finished",
  ]);
});

test("what is cancelled says nothing more", async () => {
  const pool = new GuaranteePool(cells, inProcessPool());
  const replies: GuaranteeReply[] = [];
  pool.subscribe((reply) => replies.push(reply));
  pool.cancel();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(replies).toEqual([]);
});
