/** The run on screen as files: the same report and trace that the command line writes, byte for byte. */
import { factsOf } from "./facts.ts";
import { fetched } from "./fetched.ts";
import { branchOf, appStore } from "./store.ts";

/** Saves the report of the branch on screen; nothing while it is still being computed. */
export function saveReport(): void {
  const app = appStore.getState();
  const { session } = app;
  const report = branchOf(app)?.report ?? null;
  if (session === null || report === null) return;
  save(`${session.scenario.id}.report.json`, "application/json", [`${JSON.stringify(report, null, 2)}\n`]);
}

/** Saves the trace of the branch on screen, as far as it has been computed. */
export async function saveTrace(): Promise<void> {
  const app = appStore.getState();
  const { session } = app;
  const branch = branchOf(app);
  if (session === null || branch === null) return;
  const traces = await fetched(import("../protocol/trace.ts"));
  if (traces === null) return;
  save(`${session.scenario.id}.trace.ndjson`, "application/x-ndjson", [
    ...traces.traceLines(branch.run.jobs.graphs, branch.run.log),
  ]);
}

/** Saves what Flink's REST API would reply about the branch on screen, as far as it has been computed. */
export async function saveRestReplies(): Promise<void> {
  const app = appStore.getState();
  const { session } = app;
  const branch = branchOf(app);
  if (session === null || branch === null || branch.length === 0) return;
  const replies = await fetched(import("../projection/rest.ts"));
  if (replies === null) return;
  save(`${session.scenario.id}.rest.json`, "application/json", [replies.restText(factsOf(branch.run).lastView())]);
}

export function saveScenario(): void {
  const { session } = appStore.getState();
  if (session !== null) save(`${session.scenario.id}.scenario.json`, "application/json", [session.text]);
}

export function save(name: string, type: string, parts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  // The browser reads it only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
