import { expect, test } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { crashes } from "../scenario/targets.ts";
import { at } from "../base/assert.ts";
import type { ProbeReply } from "./port.ts";
import { ProbeLink } from "./probe-link.ts";
import { inProcessThread } from "./testing/in-process.ts";

const scenario = libraryScenario("linear");
const command = at(crashes(executionGraph(scenario), scenario), 0);
const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20));

test("of questions that come faster than answers only the newest is answered", async () => {
  const link = new ProbeLink({ scenario, decisions: [], length: 0 }, inProcessThread());
  const replies: ProbeReply[] = [];
  link.subscribe((reply) => replies.push(reply));
  for (const step of [3, 9, 27]) link.ask({ step, command });
  await settled();
  expect(replies.map((reply) => (reply.type === "landed" ? reply.injection.step : reply.type))).toEqual(["probed", 27]);
  link.ask({ step: 9, command });
  await settled();
  expect(replies.at(-1)).toMatchObject({ type: "landed", injection: { step: 9 } });
});

test("a thread that dies says so, and one that is given up says nothing", async () => {
  let die: (message: string) => void = () => {};
  const dying = { ...inProcessThread(), listen: (_: unknown, died: (message: string) => void) => void (die = died) };
  const link = new ProbeLink({ scenario, decisions: [], length: 0 }, dying);
  const told: string[] = [];
  link.subscribe((reply) => told.push(reply.type));
  die("out of memory");
  expect(told).toEqual(["failed"]);

  const ended = new ProbeLink({ scenario, decisions: [], length: 0 }, inProcessThread());
  ended.subscribe((reply) => told.push(reply.type));
  ended.cancel();
  await settled();
  expect(told).toEqual(["failed"]);
});
