/** A scenario from a file. What cannot be read, or is none, is told; what was open stays. */
import type { Problem } from "../base/result.ts";
import type { Controller } from "./controller.ts";
import { fetched } from "./fetched.ts";
import { appStore } from "./store.ts";
import { currentText } from "./text/use-text.ts";

const FILE_LIMIT_MB = 4;

export async function openFile(controller: Controller, file: File): Promise<void> {
  const { openFailed } = currentText();
  const refuse = (text: string, problems: readonly Problem[]): void =>
    appStore.setState({ refused: { name: file.name, text, problems } });
  if (file.size > FILE_LIMIT_MB * 1024 * 1024) {
    refuse("", [{ path: "", value: "", message: openFailed.tooLarge(FILE_LIMIT_MB) }]);
    return;
  }
  try {
    const text = await file.text();
    const problems = await openWhatever(controller, text);
    if (problems.length > 0) refuse(text, problems);
  } catch {
    refuse("", [{ path: "", value: "", message: openFailed.unreadable }]);
  }
}

/** A run's file begins with its form; anything else is a scenario. */
async function openWhatever(controller: Controller, text: string): Promise<readonly Problem[]> {
  if (!/^\s*\{\s*"run":/.test(text)) return (await fetched(import("./opening.ts")))?.openText(controller, text) ?? [];
  const ways = await fetched(Promise.all([import("../scenario/parse.ts"), import("./sessions/open-run.ts")]));
  if (ways === null) return [];
  const [{ readJson }, { openRun }] = ways;
  const json = readJson(text);
  return json.ok ? openRun(controller, json.value) : json.problems;
}
