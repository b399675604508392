/**
 * The brokers of the log as one process that can be gone (the contract's `broker-down` and `broker-up`; FI-76). While they
 * are, nothing reaches the log and nothing is read from it; what clients send waits with them (`cutting.ts`) until
 * their own timeouts give it up (`sinks/client-timeouts.ts`), and the transaction coordinator writes no markers and times
 * nothing out. What was in the log is there when they are back (replication, KF-002), and the coordinator goes on with what
 * it had decided (KF-015). Left out: one broker of several, whose partitions and coordinators move to others.
 */
import type { Kernel } from "../kernel.ts";
import { cutPair, healPairs } from "../cutting.ts";
import { Node } from "../network-cuts.ts";
import { Actor, Op } from "../ops.ts";
import { sendMarkersAgain, stopMarkers } from "./transactions.ts";

/** `lasts` in milliseconds; `null`: until they are started again. */
export function brokerDown(k: Kernel, lasts: number | null): void {
  cutPair(k, Node.kafka, Node.kafka);
  stopMarkers(k);
  if (lasts !== null) k.after(lasts, Op.brokerUp, Actor.world);
}

/** The operation `brokerUp`: they are there again. */
export function brokerUp(k: Kernel): void {
  if (healPairs(k, [[Node.kafka, Node.kafka]])) sendMarkersAgain(k);
}
