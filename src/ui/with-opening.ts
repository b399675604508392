/** Ways to a scenario need its parser: it is fetched with the first of them, and the page is busy until then. */
import type { DeliveryGuarantee } from "../protocol/job-graph.ts";
import type { Controller } from "./controller.ts";
import { fetched } from "./fetched.ts";
import { type Session, appStore } from "./store.ts";

function busy(more: 1 | -1): void {
  appStore.setState(({ pending }) => ({ pending: Math.max(0, pending + more) }));
}

export async function openLibrary(controller: Controller, id: string): Promise<void> {
  busy(1);
  const opening = await fetched(import("./opening.ts"));
  busy(-1);
  opening?.openLibrary(controller, id);
}

export async function openLinked(controller: Controller, fragment: string): Promise<void> {
  busy(1);
  const opening = await fetched(import("./opening.ts"));
  busy(-1);
  opening?.openLinked(controller, fragment);
}

export async function openWithDelivery(
  controller: Controller,
  session: Session,
  delivery: DeliveryGuarantee,
): Promise<void> {
  busy(1);
  const opening = await fetched(import("./opening.ts"));
  busy(-1);
  opening?.openWithDelivery(controller, session, delivery);
}
