/** Ways to a scenario need its parser: it is fetched with the first of them, and the page is busy until then. */
import type { DeliveryGuarantee } from "../protocol/job-graph.ts";
import type { Controller } from "./controller.ts";
import { fetched } from "./fetched.ts";
import type * as Opening from "./opening.ts";
import { type Session, appStore } from "./store.ts";

function busy(more: 1 | -1): void {
  appStore.setState(({ pending }) => ({ pending: Math.max(0, pending + more) }));
}

async function withOpening(act: (opening: typeof Opening) => void): Promise<void> {
  busy(1);
  const opening = await fetched(import("./opening.ts"));
  busy(-1);
  if (opening !== null) act(opening);
}

export function openLibrary(controller: Controller, id: string): Promise<void> {
  return withOpening((opening) => opening.openLibrary(controller, id));
}

export function openLinked(controller: Controller, fragment: string): Promise<void> {
  return withOpening((opening) => opening.openLinked(controller, fragment));
}

export function openWithDelivery(controller: Controller, session: Session, delivery: DeliveryGuarantee): Promise<void> {
  return withOpening((opening) => opening.openWithDelivery(controller, session, delivery));
}
