/**
 * The small scenario of a cell of the guarantee table: source, a sum per key, sink. Where there are several channels into
 * the sum, one of them is held up at each barrier, so that alignment, or its absence, has something to do.
 */
import { at } from "../../base/assert.ts";
import { type Cell, type Mode, modes, sinkKinds, sourceKinds } from "./kinds.ts";

/** Records in all; each of the channels gets its share, one every so often. */
const RECORDS = 20;
const EVERY = 8;
/** As many checkpoints as begin before the input ends, and one more. */
const CHECKPOINTS = [1, 2, 3];

/** A scenario file's content. */
export function cellScenario(cell: Cell): object {
  const mode = modes[cell.mode];
  const source = at(
    sourceKinds,
    sourceKinds.findIndex(({ id }) => id === cell.source),
  );
  const sink = at(
    sinkKinds,
    sinkKinds.findIndex(({ id }) => id === cell.sink),
  );
  const several = mode.channels === "several" && source.parallel;
  const width = several ? 2 : 1;
  const input = { width, records: RECORDS, every: `${EVERY * width} ms`, keys: 2 };
  const apart = { chain: false };
  return {
    $schema: "scenario.schema.json",
    format: 1,
    id: "guarantee",
    title: { en: `${cell.source}, ${cell.mode}, ${cell.sink}` },
    flink: "2.2",
    seed: 1,
    job: {
      name: "guarantee",
      maxParallelism: 128,
      vertices: [
        { uid: "source", type: source.type, parallelism: width, ...source.vertex(input), ...apart },
        { uid: "sum", type: "keyed-sum", parallelism: 1, ...apart },
        { uid: "sink", type: sink.type, parallelism: 1, ...sink.vertex, ...apart },
      ],
      edges: [
        { from: "source", to: "sum", ship: "hash" },
        { from: "sum", to: "sink", ship: "forward" },
      ],
    },
    cluster: { taskManagers: 2, slots: 2 },
    topics: { ...source.topics(input), ...sink.topics },
    config: configOf(mode),
    timing: { deploy: "5 ms", "snapshot.async": "6 ms", "heartbeat.detect": "20 ms", commit: "4 ms" },
    initialDelay: "40 ms",
    faults: several && mode.checkpointing !== null ? CHECKPOINTS.map(heldUp) : [],
    until: "drained",
  };
}

function configOf({ checkpointing, restarts }: Mode): object {
  return {
    ...(checkpointing !== null && {
      "execution.checkpointing.interval": "60 ms",
      "execution.checkpointing.mode": checkpointing,
    }),
    ...(restarts
      ? {
          "restart-strategy.type": "fixed-delay",
          "restart-strategy.fixed-delay.attempts": 3,
          "restart-strategy.fixed-delay.delay": "20 ms",
        }
      : { "restart-strategy.type": "none" }),
  };
}

/** The barrier of the second source subtask comes late. */
function heldUp(checkpoint: number): object {
  return {
    at: { after: "CheckpointTriggered", checkpoint },
    do: "stall",
    target: "source[1]->sum[0]",
    for: "20 ms",
  };
}
