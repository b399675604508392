/** How large a scenario may be. */

/** What this program can take in; not limits of Flink, which only has the one of 32768 key groups. */
export const limits = {
  characters: 2_000_000,
  vertices: 100,
  edges: 1000,
  parallelism: 512,
  subtasks: 4000,
  channels: 100_000,
  sinks: 32,
  topics: 100,
  partitions: 512,
  records: 1_000_000,
  /** Records that one operator is to process or emit, over the whole run. */
  flow: 10_000_000,
  faults: 1000,
  scheduled: 20_000,
  taskManagers: 512,
  /** A checkpoint's id, and with it a transactional id, is a number below this. */
  checkpoints: 65_000,
} as const;
