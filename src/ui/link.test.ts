import { beforeEach, expect, test } from "vitest";
import { EventNumber } from "../protocol/events.ts";
import { Draft, EventLog } from "../protocol/log.ts";
import type { Report } from "../scenario/report.ts";
import { at } from "../base/assert.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { Reply, Request } from "../worker/port.ts";
import { scenarios } from "../view/testing/graphs.ts";
import { decisionsOf, type EngineConnection, Link, type LinkEvents } from "./link.ts";
import { shareOf, workOf } from "./computing/work.ts";
import { appStore } from "./store.ts";

const scenario = Object.values(scenarios)[0] as (typeof scenarios)[keyof typeof scenarios];
const command: Command = { do: "fail-job", target: null, rpc: null, checkpoint: null, count: 1, for: null };
const report = {} as Report;

/** An engine that answers only when the test says so. */
class FakeEngine implements EngineConnection {
  readonly requests: Request[] = [];
  closed = false;
  private listener: (reply: Reply) => void = () => undefined;
  private dead: (message: string) => void = () => undefined;

  send(request: Request): void {
    this.requests.push(request);
  }

  subscribe(listen: (reply: Reply) => void): () => void {
    this.listener = listen;
    return () => undefined;
  }

  onDeath(listen: (message: string) => void): void {
    this.dead = listen;
  }

  close(): void {
    this.closed = true;
  }

  die(): void {
    this.dead("boom");
  }

  reply(reply: Reply): void {
    this.listener(reply);
  }

  /** Appends entries `from` to `to` of a log whose clock counts the steps, and ends the branch. */
  run(session: number, branch: number, from: number, to: number): void {
    const log = new EventLog();
    const draft = new Draft();
    draft.type = EventNumber.TriggerQueued;
    for (let step = 0; step < to; step++) {
      draft.clock = step;
      log.append(draft);
    }
    this.reply({ type: "appended", session, branch, chunk: log.chunk(from) });
    this.reply({ type: "ended", session, branch, report });
  }
}

let engines: FakeEngine[] = [];
let events: string[] = [];

function newLink(): Link {
  const listen: LinkEvents = {
    shown: ({ branch, step }) => {
      events.push(`shown ${branch}@${step}`);
      appStore.setState({ branch, step });
    },
    forked: (branch) => events.push(`forked ${branch.id}`),
    grown: (branch) => events.push(`grown ${branch}`),
    failed: (message, { decisions, step }) =>
      events.push(`failed ${message}, ${decisions.length} decisions, step ${step}`),
  };
  return new Link(() => {
    const engine = new FakeEngine();
    engines.push(engine);
    return engine;
  }, listen);
}

const engine = (index: number): FakeEngine => engines[index] as FakeEngine;
const lengths = (): number[] => appStore.getState().session?.branches.map(({ length }) => length) ?? [];

beforeEach(() => {
  engines = [];
  events = [];
  appStore.setState(appStore.getInitialState(), true);
});

test("an opened scenario is shown with its first entries and is done with its report", () => {
  newLink().open({ scenario, text: "{}", library: null });
  expect(appStore.getState().pending).toBe(1);
  engine(0).run(1, 0, 0, 5);
  expect(events).toEqual(["shown 0@0", "grown 0"]);
  expect(lengths()).toEqual([5]);
  expect(appStore.getState().pending).toBe(0);
});

test("what was open stays until the next scenario has something to show, and late replies of it are dropped", () => {
  const link = newLink();
  link.open({ scenario, text: "first", library: null });
  engine(0).run(1, 0, 0, 5);
  link.open({ scenario, text: "second", library: null });
  expect(appStore.getState().session?.text).toBe("first");
  engine(0).run(1, 0, 5, 9);
  expect(lengths()).toEqual([5]);
  engine(0).run(2, 0, 0, 3);
  expect(appStore.getState().session?.text).toBe("second");
  expect(lengths()).toEqual([3]);
});

test("a session is in the making until it is shown, a branch until it is there, and neither once the engine has died", () => {
  const link = newLink();
  expect(link.isMaking).toBe(false);
  link.open({ scenario, text: "{}", library: null });
  expect(link.isMaking).toBe(true);
  engine(0).run(1, 0, 0, 5);
  expect(link.isMaking).toBe(false);
  link.fork(0, 3, command);
  link.fork(0, 2, command);
  engine(0).reply({ type: "forked", session: 1, branch: { id: 1, parent: 0, step: 3, command } });
  expect(link.isMaking).toBe(true);
  engine(0).reply({ type: "forked", session: 1, branch: { id: 2, parent: 0, step: 2, command } });
  // It is there, and computed in sight.
  expect(link.isMaking).toBe(false);
  link.fork(0, 1, command);
  engine(0).die();
  expect(link.isMaking).toBe(false);
});

test("a fork shares its parent's entries and remembers what was decided", () => {
  const link = newLink();
  link.open({ scenario, text: "{}", library: null });
  engine(0).run(1, 0, 0, 5);
  link.fork(0, 3, command);
  engine(0).reply({ type: "forked", session: 1, branch: { id: 1, parent: 0, step: 3, command } });
  engine(0).run(1, 1, 3, 8);
  const session = appStore.getState().session;
  expect(lengths()).toEqual([5, 8]);
  expect(session === null ? [] : decisionsOf(session, 1)).toEqual([{ step: 3, command }]);
});

test("when the engine dies a new one is made, the run stays, and a restart brings all branches back", () => {
  const link = newLink();
  link.open({ scenario, text: "{}", library: null });
  engine(0).run(1, 0, 0, 5);
  link.fork(0, 3, command);
  engine(0).reply({ type: "forked", session: 1, branch: { id: 1, parent: 0, step: 3, command } });
  engine(0).run(1, 1, 3, 8);
  appStore.setState({ branch: 1, step: 6 });
  engine(0).die();
  expect(events.at(-1)).toBe("failed boom, 1 decisions, step 6");
  expect(engine(0).closed).toBe(true);
  expect(engines).toHaveLength(2);
  expect(lengths()).toEqual([5, 8]);

  link.restart();
  engine(1).run(2, 0, 0, 5);
  expect(appStore.getState().session?.number).toBe(1);
  engine(1).reply({ type: "forked", session: 2, branch: { id: 1, parent: 0, step: 3, command } });
  engine(1).run(2, 1, 3, 8);
  expect(appStore.getState().session?.number).toBe(2);
  expect(events.slice(-2)).toEqual(["shown 1@6", "grown 1"]);
});

test("a branch that broke the engine is left out of a restart: the cursor goes to its parent", () => {
  const link = newLink();
  link.open({ scenario, text: "{}", library: null });
  engine(0).run(1, 0, 0, 5);
  link.fork(0, 3, command);
  engine(0).reply({ type: "forked", session: 1, branch: { id: 1, parent: 0, step: 3, command } });
  appStore.setState({ branch: 1, step: 3 });
  engine(0).die();
  link.restart();
  engine(1).run(2, 0, 0, 5);
  expect(events.slice(-2)).toEqual(["shown 0@2", "grown 0"]);
  expect(lengths()).toEqual([5]);
});

test("a fork after the engine has died makes the session again first", () => {
  const link = newLink();
  link.open({ scenario, text: "{}", library: null });
  engine(0).run(1, 0, 0, 5);
  engine(0).die();
  link.fork(0, 2, command);
  expect(engine(1).requests.map(({ type }) => type)).toEqual(["open"]);
  engine(1).run(2, 0, 0, 5);
  expect(engine(1).requests.map(({ type }) => type)).toEqual(["open", "fork"]);
});

test("a run that is stopped before it could be shown is shown as far as it is, and goes on when it is asked to", () => {
  const link = newLink();
  link.open({ scenario, text: "{}", library: null }, { branch: 0, step: 4 });
  const log = new EventLog();
  const draft = new Draft();
  draft.type = EventNumber.TriggerQueued;
  for (draft.clock = 0; draft.clock < 3; draft.clock++) log.append(draft);
  engine(0).reply({ type: "appended", session: 1, branch: 0, chunk: log.chunk(0) });
  expect(appStore.getState().session).toBeNull();
  expect(workOf(appStore.getState())).toMatchObject({ is: "computing", branch: { length: 3 } });
  link.pause(0);
  expect(engine(0).requests.at(-1)).toEqual({ type: "pause", session: 1, branch: 0 });
  engine(0).reply({ type: "paused", session: 1, branch: 0 });
  expect(lengths()).toEqual([3]);
  expect(appStore.getState().pending).toBe(0);
  expect(workOf(appStore.getState())).toMatchObject({ is: "paused" });
  link.resume(0);
  expect(engine(0).requests.at(-1)).toEqual({ type: "resume", session: 1, branch: 0 });
  expect(workOf(appStore.getState())).toMatchObject({ is: "computing" });
  engine(0).reply({ type: "judged", session: 1, branch: 0, entries: 2 });
  expect(workOf(appStore.getState())).toMatchObject({ is: "judging", share: 2 / 3 });
  engine(0).reply({ type: "ended", session: 1, branch: 0, report });
  expect(workOf(appStore.getState())).toBeNull();
  expect(appStore.getState().pending).toBe(0);
});

test("how far a run is is told by what ends it: a time, a number of entries, its last record", () => {
  const topics = [
    {
      ...at(scenario.topics, 0),
      partitions: [
        [
          { key: "a", value: 1, at: 0 },
          { key: "a", value: 1, at: 400 },
        ],
      ],
    },
  ];
  const share = (until: Scenario["until"]): number | null => shareOf({ ...scenario, until, topics }, 50, 100);
  expect(share({ kind: "time", time: 1000 })).toBe(0.1);
  expect(share({ kind: "steps", steps: 200 })).toBe(0.25);
  expect(share({ kind: "drained" })).toBe(0.25);
  expect(shareOf({ ...scenario, until: { kind: "drained" }, topics: [] }, 50, 100)).toBeNull();
});
