import { beforeEach, expect, test, vi } from "vitest";
import { checkpointingModes, slowSink, variantScenario } from "../../scenario/comparison.ts";
import type { Comparison } from "../../scenario/comparison.ts";
import { runScenario } from "../../engine/run.ts";
import { runMeasures } from "../../projection/run-measures.ts";
import type { Reply } from "../../worker/port.ts";
import { EngineSession } from "../../worker/session.ts";
import type { EngineConnection } from "../link.ts";
import { isComputing, ownNotices } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";

/** An engine in this thread, which can die. */
class Engine implements EngineConnection {
  closed = false;
  die: (message: string) => void = () => undefined;
  private listen: (reply: Reply) => void = () => undefined;
  private readonly session = new EngineSession({
    reply: (reply) => this.listen(reply),
    later: (work) => void setTimeout(work, 0),
    now: () => performance.now(),
  });

  send = this.session.handle.bind(this.session);

  subscribe(listen: (reply: Reply) => void): () => void {
    this.listen = listen;
    return () => undefined;
  }

  onDeath(listen: (message: string) => void): void {
    this.die = listen;
  }

  close(): void {
    this.closed = true;
  }
}

let engines: Engine[] = [];
beforeEach(() => {
  engines = [];
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
});

function newSide(comparison: Comparison): SideBySide {
  return new SideBySide(comparison, () => {
    const engine = new Engine();
    engines.push(engine);
    return engine;
  });
}

const settled = (side: SideBySide): Promise<void> =>
  vi.waitFor(() => expect(side.runs.store.getState().runs.some(isComputing)).toBe(false), { timeout: 60_000 });

test("every run comes to what it comes to alone, and closing closes every engine", async () => {
  const side = newSide(slowSink);
  const stop = side.start();
  await settled(side);
  const { runs } = side.runs.store.getState();
  for (const [place, { measures, broken }] of runs.entries()) {
    const read = variantScenario(slowSink, slowSink.variants[place]!);
    if (!read.ok) throw new Error("a library scenario");
    const { log, report } = runScenario(read.value, { checkInvariants: true });
    expect(measures).toEqual(runMeasures(log, report));
    expect(broken).toBeNull();
  }
  expect(engines).toHaveLength(3);
  stop();
  expect(engines.every(({ closed }) => closed)).toBe(true);
});

test("one that Flink refuses gets no engine, one whose engine dies says so, and the third is computed", async () => {
  const config = { ...(slowSink.source["config"] as object), "execution.checkpointing.max-concurrent-checkpoints": 2 };
  const side = newSide({ ...slowSink, source: { ...slowSink.source, config } });
  const stop = side.start();
  expect(engines).toHaveLength(2);
  engines[0]!.die("out of memory");
  await settled(side);
  const [aligned, unaligned, atLeastOnce] = side.runs.store.getState().runs;
  expect(aligned).toMatchObject({ broken: "out of memory" });
  expect(unaligned).toMatchObject({ scenario: null, report: null, run: null });
  expect(unaligned?.problems[0]?.message).toContain("maxConcurrentCheckpoints");
  expect(atLeastOnce?.measures).not.toBeNull();
  stop();
});

test("what Flink says to one run only is told of that run", () => {
  const config = {
    ...(slowSink.source["config"] as object),
    "execution.checkpointing.unaligned.enabled": true,
    "state.backend.local-recovery": true,
  };
  const { runs } = newSide({
    source: { ...slowSink.source, config },
    faults: [],
    variants: checkpointingModes,
  }).runs.store.getState();
  expect(runs.map((run) => run.scenario?.notices.length)).toEqual([1, 1, 2]);
  expect(runs.map((run) => ownNotices(run, runs).map(({ code }) => code))).toEqual([[], [], ["VALUE_REPLACED"]]);
});

test("the cursor leads by time and by checkpoint, and time goes on from the run that is behind", async () => {
  const side = newSide(slowSink);
  const stop = side.start();
  await settled(side);
  side.seek(700.5);
  expect(side.cursor.getState()).toEqual({ by: "time", clock: 700.5 });
  await expect.poll(() => side.told.getState().cursor).toEqual({ by: "time", clock: 700.5 });
  expect(side.toCheckpoint(1)).toBe(true);
  expect(side.told.getState()).toMatchObject({ cursor: { by: "checkpoint", nth: 1 }, playing: false });
  side.step(-1);
  const { cursor } = side.told.getState();
  const first = side.runs.store.getState().runs[1]!.measures!.checkpoints[0]!;
  expect(cursor.by === "time" && cursor.clock < first.triggered + first.completion!).toBe(true);
  side.seek(1e9);
  expect(side.toCheckpoint(1)).toBe(true);
  expect(side.toCheckpoint(1)).toBe(false);
  side.toggle();
  expect(side.told.getState().playing).toBe(true);
  stop();
  expect(side.told.getState().playing).toBe(false);
});
