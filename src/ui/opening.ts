/** Ways to a scenario: the library, a file, the editor, the sink's delivery. Bad input leaves open what was open. */
import type { Problem } from "../base/result.ts";
import type { DeliveryGuarantee } from "../protocol/job-graph.ts";
import { parseScenario } from "../scenario/parse.ts";
import { documentOfLink } from "../scenario/run-link.ts";
import type { Controller } from "./controller.ts";
import { prettyJson } from "./pretty-json.ts";
import { readLibrary } from "./read-library.ts";
import { type Session, appStore } from "./store.ts";

/** Opens a text; what is wrong with it is returned. */
export function openText(controller: Controller, text: string): readonly Problem[] {
  const parsed = parseScenario(text);
  if (!parsed.ok) return parsed.problems;
  const { session } = appStore.getState();
  const library = session !== null && session.library !== null && session.text === text ? session.library : null;
  controller.open({ scenario: parsed.value, text, library }, { keepTime: false, play: true });
  return [];
}

export function openLibrary(controller: Controller, id: string): void {
  controller.open(readLibrary(id), { keepTime: false, play: true });
}

/** Opens the run that the page's link names, if it names one. What is wrong with it is shown; what is open stays. */
export function openLinked(controller: Controller, fragment: string): void {
  const document = documentOfLink(fragment);
  if (document === null) return;
  const text = prettyJson(document);
  const problems = openText(controller, text);
  if (problems.length > 0) appStore.setState({ refused: { name: "link", text, problems } });
}

/** The same scenario with another guarantee at its sinks, at the same moment of simulated time. */
export function openWithDelivery(controller: Controller, session: Session, delivery: DeliveryGuarantee): void {
  const text = withDelivery(session.text, delivery);
  const parsed = parseScenario(text);
  if (!parsed.ok) {
    appStore.setState({ refused: { name: session.scenario.id, text, problems: parsed.problems } });
    return;
  }
  controller.open({ scenario: parsed.value, text, library: null }, { keepTime: true, play: false });
}

interface Written {
  readonly job?: { readonly vertices?: readonly { readonly type?: string; delivery?: string }[] };
}

function withDelivery(text: string, delivery: DeliveryGuarantee): string {
  const written = JSON.parse(text) as Written;
  for (const vertex of written.job?.vertices ?? []) if (vertex.type === "kafka-sink") vertex.delivery = delivery;
  return prettyJson(written);
}
