/** The app's sweep over the engine itself: opening its runs as branches. */
import { beforeEach, expect, test, vi } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import type { Injection, SweepTotals } from "../scenario/exploration.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Reply, SweepReply, SweepRequest } from "../worker/port.ts";
import { EngineSession } from "../worker/session.ts";
import type { EngineConnection } from "./link.ts";
import { appStore, branchOf } from "./store.ts";

// The player asks at once what motion is wanted.
vi.hoisted(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => undefined }));
});
const { Controller } = await import("./controller.ts");
const { failureName, sweepOf } = await import("./sweep.ts");

const command = (verb: Command["do"], target: string): Command => ({
  do: verb,
  target,
  rpc: null,
  checkpoint: null,
  count: 1,
  for: null,
});
const first: Injection = { step: 364, command: command("fail-task", "total[1]") };
const second: Injection = { step: 700, command: command("kill-taskmanager", "tm-1") };

/** What the engine still has to do. */
let work: (() => void)[] = [];

function settle(): void {
  for (let next = work.shift(); next !== undefined; next = work.shift()) next();
}

function inProcess(): EngineConnection {
  const listeners: ((reply: Reply) => void)[] = [];
  const session = new EngineSession({
    reply: (reply) => {
      for (const listen of listeners) listen(structuredClone(reply));
    },
    later: (act) => work.push(act),
    now: () => performance.now(),
  });
  return {
    send: (request) => work.push(() => session.handle(request)),
    subscribe: (listen) => {
      listeners.push(listen);
      return () => undefined;
    },
    onDeath: () => undefined,
    close: () => undefined,
  };
}

let reply: (reply: SweepReply) => void = () => undefined;
let requests: SweepRequest[] = [];
let cancelled = 0;

function newController(): InstanceType<typeof Controller> {
  return new Controller(inProcess, {
    sweep: async (request) => {
      requests.push(request);
      return {
        subscribe: (listen) => {
          reply = listen;
          return () => undefined;
        },
        pause: () => undefined,
        resume: () => undefined,
        cancel: () => cancelled++,
      };
    },
    guarantees: () => Promise.reject(new Error("not asked for here")),
    probe: () => Promise.reject(new Error("not asked for here")),
  });
}

function totals(harmfulCount: number): SweepTotals {
  return { runs: 1, harmfulCount, violations: [] as SweepTotals["violations"] } as SweepTotals;
}

const scenario = libraryScenario("order-totals");
const shown = (): string => {
  const app = appStore.getState();
  return `branch ${app.branch} of ${app.session?.branches.length} at ${app.step}`;
};

/** `order-totals` with a sweep of it that is done. */
async function swept(): Promise<{
  controller: InstanceType<typeof Controller>;
  sweep: ReturnType<typeof sweepOf>;
}> {
  const controller = newController();
  controller.open({ scenario, text: "{}", library: null }, { keepTime: false, play: false });
  settle();
  const sweep = sweepOf(controller);
  sweep.start();
  await Promise.resolve();
  reply({ type: "finished", totals: totals(1), seconds: 1 });
  return { controller, sweep };
}

beforeEach(() => {
  appStore.setState(appStore.getInitialState(), true);
  work = [];
  requests = [];
  cancelled = 0;
});

test("a run of the sweep opens as a branch with the cursor at its failure, and the second time it is only shown", async () => {
  const { controller, sweep } = await swept();
  sweep.open([first]);
  settle();
  expect(shown()).toBe("branch 1 of 2 at 364");
  expect(branchOf(appStore.getState())?.branch).toMatchObject({ parent: 0, ...first });
  controller.switchBranch(0);
  sweep.open([first]);
  settle();
  expect(shown()).toBe("branch 1 of 2 at 364");
});

test("a pair opens as a branch of a branch, with the cursor at the first failure and both ahead", async () => {
  const { sweep } = await swept();
  sweep.open([first, second]);
  settle();
  expect(shown()).toBe("branch 2 of 3 at 364");
  const branches = appStore.getState().session?.branches.map(({ branch }) => branch);
  expect(branches?.slice(1)).toMatchObject([
    { parent: 0, ...first },
    { parent: 1, ...second },
  ]);
  sweep.open([first]);
  settle();
  expect(shown()).toBe("branch 1 of 3 at 364");
});

test("runs open in the branch that was swept, whichever is on screen, and another branch is swept with its decisions", async () => {
  const { sweep } = await swept();
  sweep.open([second]);
  settle();
  sweep.open([first]);
  settle();
  expect(branchOf(appStore.getState())?.branch.parent).toBe(0);
  sweep.start();
  await Promise.resolve();
  expect(requests.map(({ decisions }) => decisions)).toEqual([[], [first]]);
});

test("the tab tells how far it is and what it came to; a sweep of a scenario that is closed is cancelled", async () => {
  const { controller, sweep } = await swept();
  expect(appStore.getState().sweepSign).toBe("1");
  sweep.start();
  await Promise.resolve();
  reply({ type: "progress", done: 1, total: 4, totals: totals(0) });
  expect(appStore.getState().sweepSign).toBe("25%");
  controller.open({ scenario: { ...scenario }, text: "{}", library: null }, { keepTime: false, play: false });
  settle();
  expect(appStore.getState().sweepSign).toBeNull();
  expect(cancelled).toBe(2);
  expect(sweep.actor.getSnapshot().value).toBe("idle");
});

test("a failure is told by its event and the time of the run that is swept", async () => {
  await swept();
  const { session } = appStore.getState();
  if (session === null) throw new Error("nothing is open");
  expect(failureName(session, 0, [first])).toMatch(/^fail total\[1\] at event 364, \d\.\d{3} s$/);
  expect(failureName(session, 0, [first, second])).toMatch(/ s, then kill tm-1 at event 700$/);
});
