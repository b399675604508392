/** Ways to a scenario: the library, a file, the editor, the sink's delivery. Bad input leaves open what was open. */
import type { Problem } from "../base/result.ts";
import type { DeliveryGuarantee } from "../protocol/job-graph.ts";
import { library } from "../scenario/library.ts";
import { parseScenario } from "../scenario/parse.ts";
import type { Controller } from "./controller.ts";
import { prettyJson } from "./pretty-json.ts";
import { type Session, useApp } from "./store.ts";
import { currentText } from "./text/use-text.ts";

const FILE_LIMIT_MB = 4;

/** Opens a text; what is wrong with it is returned. */
export function openText(controller: Controller, text: string): readonly Problem[] {
  const parsed = parseScenario(text);
  if (!parsed.ok) return parsed.problems;
  const { session } = useApp.getState();
  const library = session !== null && session.library !== null && session.text === text ? session.library : null;
  controller.open({ scenario: parsed.value, text, library }, { keepTime: false, play: true });
  return [];
}

export function openLibrary(controller: Controller, id: string): void {
  const entry = library.find((candidate) => candidate.id === id);
  if (entry === undefined) return;
  const text = prettyJson(entry.source);
  const parsed = parseScenario(text);
  if (!parsed.ok)
    throw new Error(
      `assertion failed: library scenario ${id}: ${parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    );
  controller.open({ scenario: parsed.value, text, library: id }, { keepTime: false, play: true });
}

export async function openFile(controller: Controller, file: File): Promise<void> {
  const { openFailed } = currentText();
  const refuse = (text: string, problems: readonly Problem[]): void =>
    useApp.setState({ refused: { name: file.name, text, problems } });
  if (file.size > FILE_LIMIT_MB * 1024 * 1024) {
    refuse("", [{ path: "", value: "", message: openFailed.tooLarge(FILE_LIMIT_MB) }]);
    return;
  }
  try {
    const text = await file.text();
    const problems = openText(controller, text);
    if (problems.length > 0) refuse(text, problems);
  } catch {
    refuse("", [{ path: "", value: "", message: openFailed.unreadable }]);
  }
}

/** The same scenario with another guarantee at its sinks, at the same moment of simulated time. */
export function openWithDelivery(controller: Controller, session: Session, delivery: DeliveryGuarantee): void {
  const text = withDelivery(session.text, delivery);
  const parsed = parseScenario(text);
  if (!parsed.ok) {
    useApp.setState({ refused: { name: session.scenario.id, text, problems: parsed.problems } });
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
