import { expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { createFollower } from "../machines/follower.ts";
import { frameAt } from "./frame.ts";
import { laterWith } from "./frame-later.ts";
import type { Scene } from "./frame-types.ts";
import type { OutputFrame } from "./frame-types-outside.ts";
import { stageLayout } from "./layout.ts";

const size = { width: 1060, height: 640 };

/** Scenes of a small job with this sink, one for each of some steps; a task fails on the way. */
async function scenes(sink: object, faults: readonly object[] = failing): Promise<Scene[]> {
  const parsed = parseScenario(
    JSON.stringify({
      format: 1,
      id: "stores",
      title: { en: "Stores" },
      job: {
        vertices: [
          { uid: "S", type: "kafka-source", parallelism: 1, topic: "in", groupId: "g" },
          { uid: "T", type: "keyed-sum", parallelism: 2 },
          { uid: "K", parallelism: 1, chain: false, ...sink },
        ],
        edges: [
          { from: "S", to: "T", ship: "hash" },
          { from: "T", to: "K", ship: "rebalance" },
        ],
      },
      topics: { in: { partitions: 1, records: 40, every: "50 ms", keys: 3 }, out: { partitions: 1 } },
      config: {
        "execution.checkpointing.interval": "400 ms",
        "execution.checkpointing.num-retained": 3,
        "execution.checkpointing.dir": "s3://demo/ck",
        "execution.checkpointing.savepoint-dir": "s3://demo/sp",
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.delay": "100 ms",
      },
      initialDelay: "200 ms",
      until: { time: "3 s" },
      faults,
    }),
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  const { graph, log } = runScenario(parsed.value);
  const layout = await stageLayout(graph, size);
  const view = initialView(parsed.value, graph);
  const follower = createFollower();
  return Array.from({ length: Math.floor(log.length / 7) }, (_, index) => {
    advance(view, log, index * 7);
    return frameAt(
      view,
      follower.follow(log, view),
      view.clock,
      layout,
      laterWith(() => []),
    ).scene;
  });
}

const failing = [{ at: { time: "1390 ms" }, do: "fail-task", target: "T[0]" }];
const outputsOf = (all: readonly Scene[]): OutputFrame[] => all.map(({ outputs }) => at(outputs, 0));
const shown = ({ readers }: OutputFrame, place: number): number =>
  at(readers, place).cells.filter((delivered) => delivered).length;

test("KF-030, KF-031: read_uncommitted gets each record at once, read_committed the decided ones below the last stable offset", async () => {
  const all = outputsOf(
    await scenes({
      type: "kafka-sink",
      topic: "out",
      delivery: "exactly-once",
      properties: { "transaction.timeout.ms": 60_000 },
    }),
  );
  for (const output of all) {
    const [committed, uncommitted] = [at(output.readers, 0), at(output.readers, 1)];
    output.cells.forEach((cell, place) => {
      expect(at(uncommitted.cells, place)).toBe(cell.kind === "record");
      expect(at(committed.cells, place)).toBe(
        cell.kind === "record" && cell.fate === "committed" && cell.offset < output.lastStable,
      );
    });
  }
  expect(all.some((output) => shown(output, 0) < shown(output, 1))).toBe(true);
  expect(all.some((output) => at(output.readers, 0).sees > 0)).toBe(true);
});

test("SK-100: a table has one row by key, the newest value in force, and tells that a reader saw it go back", async () => {
  const all = outputsOf(await scenes({ type: "upsert-sink" }));
  const last = at(all, all.length - 1);
  expect(last.readers).toMatchObject([{ reader: "table", sees: 3 }]);
  for (const { entries, cells } of all)
    for (const entry of entries) {
      const newest = cells.findLast((cell) => entry.is === "row" && cell.kind === "record" && cell.key === entry.key);
      if (newest !== undefined) expect(entry).toMatchObject({ is: "row", name: newest.name });
      expect(entry.is === "row" ? entry.history.at(-1) : null).toBe(newest?.value ?? expect.anything());
    }
  expect(all.some(({ entries }) => entries.some((entry) => entry.is === "row" && entry.back))).toBe(true);
});

test("SK-180, SK-182: part files are in progress, pending, finished; what is cut off a file is struck, and no reader sees it", async () => {
  const all = outputsOf(await scenes({ type: "file-sink", format: "bulk" }));
  const states = new Set(
    all.flatMap(({ entries }) => entries.map((entry) => (entry.is === "file" ? entry.look.label : ""))),
  );
  expect([...states]).toEqual(expect.arrayContaining(["OPEN", "PRE_COMMITTED", "COMMITTED"]));
  const rows = outputsOf(await scenes({ type: "file-sink" }));
  const cut = rows.find(({ cells }) => cells.some(({ kind }) => kind === "cut"));
  const place = cut?.cells.findIndex(({ kind }) => kind === "cut") ?? -1;
  expect(cut?.cells[place - 1]).toMatchObject({ kind: "record", fate: "aborted" });
  expect(cut?.readers.map(({ cells }) => cells[place - 1])).toEqual([false, false]);
});

test("KF-052, KF-053: what retention has taken is gone, and the group stands where the last completed checkpoint told it", async () => {
  const expired = { at: { time: "600 ms" }, do: "expire-records", topic: "in", partition: 0, before: 11 };
  const all = (await scenes({ type: "print-sink" }, [expired])).map(({ inputs }) => at(inputs, 0));
  const after = all.find(({ start }) => start === 11);
  expect(after?.cells.filter(({ gone }) => gone).every(({ offset }) => offset < 11)).toBe(true);
  expect(after?.cells.some(({ gone }) => gone)).toBe(true);
  expect(all.some(({ groupOffset }) => groupOffset !== null && groupOffset > 0)).toBe(true);
});

test("CP-160: a savepoint is its user's, a checkpoint Flink's", async () => {
  const savepoint = { at: { time: "700 ms" }, do: "trigger-savepoint" };
  const all = await scenes({ type: "print-sink" }, [savepoint]);
  const stored = all.flatMap(({ storage }) => storage.checkpoints.filter(({ durable }) => durable));
  expect(new Set(stored.map(({ savepoint: is, owner }) => `${is ? "savepoint" : "checkpoint"} ${owner}`))).toEqual(
    new Set(["savepoint user", "checkpoint flink"]),
  );
});
