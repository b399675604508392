/**
 * What a lake table's committer keeps: the files that it has been given and has not finally handled (SK-143), and what the
 * table itself remembers of earlier commits, in the summaries of its snapshots (Iceberg's `SinkUtil`).
 */
import { at } from "../../base/assert.ts";
import type { TableSinkVertex } from "../../protocol/job-graph.ts";
import { jobIds } from "../../scenario/checkpoint-path.ts";
import type { Arena } from "../arena.ts";
import type { Kernel } from "../kernel.ts";
import { TableSnapshot } from "../layout.ts";
import { sinkState } from "./sink.ts";

/** A data file and the checkpoint that it is for. */
export interface HeldFile {
  readonly file: number;
  readonly checkpoint: number;
}

/** Words of a file in the committer's state, as of any committable: the second is of no use here. */
const WORDS = 3;

/** The files in a word of state, in the order in which they came. */
export function filesIn(k: Kernel, word: number): HeldFile[] {
  const words = k.arena.sequences.toArray(word);
  return Array.from({ length: words.length / WORDS }, (_, place) => ({
    file: at(words, WORDS * place),
    checkpoint: at(words, WORDS * place + 2),
  }));
}

export function heldBy(k: Kernel, task: number, operator: number): HeldFile[] {
  return filesIn(k, k.world.state[sinkState(k, task, operator)] as number);
}

/** By ascending checkpoint; those of one in the order in which they came. */
export function hold(k: Kernel, task: number, operator: number, files: readonly HeldFile[]): void {
  const words = files
    .toSorted((a, b) => a.checkpoint - b.checkpoint)
    .flatMap(({ file, checkpoint }) => [file, 0, checkpoint]);
  k.world.state[sinkState(k, task, operator)] = k.arena.sequences.intern(words);
}

/** The sink that a committer commits for. */
export function tableSinkOf(k: Kernel, operator: number): { readonly vertex: TableSinkVertex; readonly index: number } {
  const committer = at(k.plan.graph.operators, operator).vertex;
  const uid = committer.type === "committer" ? committer.sink : committer.uid;
  const sink = k.plan.graph.operators.find(({ vertex }) => vertex.uid === uid);
  if (sink?.vertex.type !== "table-sink") throw new Error(`assertion failed: operator ${operator} is of no table`);
  return { vertex: sink.vertex, index: sink.index };
}

/** The number that stands for the id of the job that runs. */
export function jobIdOf(k: Kernel): number {
  const ids = jobIds(k.chain.map(({ command }) => k.commands[command]));
  return at(ids, ids.length - 1);
}

/**
 * The highest checkpoint that the table says was committed: by anybody, or by this job and operator
 * (`SinkUtil.getMaxCommittedCheckpointId`); 0: it knows of none. A table whose snapshots have expired knows no more.
 */
export function highestCommitted(k: Kernel, operator: number): number {
  const { vertex, index } = tableSinkOf(k, operator);
  const { tableSnapshots } = k.world;
  const identity = at(k.plan.graph.identities, index);
  const job = jobIdOf(k);
  let highest = 0;
  for (let row = 0; row < tableSnapshots.count; row++) {
    if (tableSnapshots.get(row, TableSnapshot.table) !== identity) continue;
    if (vertex.remembers === "job-operator-checkpoint" && tableSnapshots.get(row, TableSnapshot.job) !== job) continue;
    highest = Math.max(highest, tableSnapshots.get(row, TableSnapshot.checkpoint));
  }
  return highest;
}

/** What a request to commit says: the table, the job, whose it is, and the files. */
export const CommitRequest = { table: 0, job: 1, submission: 2, FILES: 3 } as const;

/** The files of a request. */
export function filesOfCommit(arena: Arena, request: number): number[] {
  return arena.sequences.toArray(request).slice(CommitRequest.FILES);
}
