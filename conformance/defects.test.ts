/** Each seeded defect of the engine makes it differ from a recording; of those that none can show it is said why. */
import { expect, test } from "vitest";
import type { Decisions } from "../src/engine/decisions.ts";
import * as defects from "../src/engine/defects.ts";
import { engineRun, factsOf } from "./compare.ts";
import { type Recording, recordingOf } from "./recording.ts";
import { beyond, shown } from "./shown-defects.ts";

const line = "2.2";
type Defect = Partial<Decisions>;
const seeded: Readonly<Record<string, Defect>> = defects;

function recorded(id: string): Recording {
  const recording = recordingOf(line, id);
  if (recording === null) throw new Error(`${id} is not recorded`);
  return recording;
}

/** What the engine with this defect tells otherwise than Flink did; an engine that breaks down tells nothing. */
function differing(id: string, defect: Defect): string[] {
  return factsOf(engineRun(id, line, defect), recorded(id))
    .filter(({ engine, flink }) => JSON.stringify(engine) !== JSON.stringify(flink))
    .map(({ about }) => about);
}

test("every seeded defect is shown by a recording, or is one that no run of real Flink can show", () => {
  expect([...Object.keys(shown), ...Object.keys(beyond)].toSorted()).toEqual(Object.keys(defects).toSorted());
});

test.each(Object.entries(shown))("%s: the engine is no longer what Flink is", (name, [id, about]) => {
  expect(differing(id, {})).toEqual([]);
  expect(differing(id, seeded[name] ?? {})).toContain(about);
});

/** As in the search (`explorer/defects.model.ts`): alone it cannot be seen, here or there. */
test("oldAttemptAcknowledges, where checkpoints outlive a restart: records are lost, and without it they are not", () => {
  const pending = differing("late-ack", defects.pendingWhileRestarting);
  const both = differing("late-ack", { ...defects.pendingWhileRestarting, ...defects.oldAttemptAcknowledges });
  expect(pending).not.toContain("verdict");
  expect(both).toEqual(expect.arrayContaining(["verdict", "SNK read_committed", "SNK transactions"]));
});
