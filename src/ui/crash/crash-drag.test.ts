import { expect, test } from "vitest";
import { libraryScenario } from "../../engine/testing/runs.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { crashes } from "../../scenario/targets.ts";
import { ProbeLink } from "../../worker/probe-link.ts";
import { inProcessThread } from "../../worker/testing/in-process.ts";
import type { ProbePort } from "../../worker/port.ts";
import { type ConnectProbe, CrashDrag } from "./crash-drag.ts";

const scenario = libraryScenario("linear");
const commands = crashes(executionGraph(scenario), scenario);
const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20));

/** A drag, and how many threads it has begun and ended. */
function dragged(): { drag: CrashDrag; begun: () => number; ended: () => number } {
  let [begun, ended] = [0, 0];
  const connect: ConnectProbe = (task) => {
    begun++;
    const thread = inProcessThread();
    const link: ProbePort = new ProbeLink(task, { ...thread, end: () => void ended++ });
    return Promise.resolve(link);
  };
  const drag = new CrashDrag(connect, { scenario, decisions: [], length: 0 }, { commands, chosen: 0, step: 9 });
  return { drag, begun: () => begun, ended: () => ended };
}

test("a drag that is stopped as soon as it is started begins no thread", async () => {
  const { drag, begun } = dragged();
  drag.start()();
  await settled();
  expect(begun()).toBe(0);
});

test("one that is started again has one thread, and its end ends it", async () => {
  const { drag, begun, ended } = dragged();
  drag.start()();
  const stop = drag.start();
  await settled();
  expect([begun(), ended(), drag.store.getState().state]).toEqual([1, 0, "ready"]);
  stop();
  await settled();
  expect([begun(), ended()]).toEqual([1, 1]);
});

test("a thread that is there only when the drag has been stopped is ended", async () => {
  const { drag, begun, ended } = dragged();
  const stop = drag.start();
  await Promise.resolve();
  stop();
  await settled();
  expect([begun(), ended()]).toEqual([1, 1]);
});
