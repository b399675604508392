/**
 * What a subtask's snapshot consists of and how large it is (the `SnapshotStrategy` of the state backends; CP-110, CP-113,
 * CP-115, CP-208, CP-209). Size is a model: a piece of state has its vertex's `stateSize` (24 bytes a key, 8 a counter),
 * a split or pending transaction 16, a record of the channel state 32. hashmap and plain rocksdb write everything each time. Incremental rocksdb adds a file
 * of the keys that changed since the last snapshot and merges four files into one; with the changelog every change is
 * added, and all state is written anew when it is materialised. What the last checkpoint that the task knows to be
 * complete holds is not written again. A savepoint shares nothing: in canonical format it is all state as hashmap writes
 * it, in native format a copy of every file that the backend has (CP-161).
 */
import { loggedRecords } from "./sinks/batches.ts";
import { RECORD_BYTES } from "../scenario/model.ts";
import { at } from "../base/assert.ts";
import { channelStateBytes } from "./channel-state.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Manifest, Stage, Task, TaskTime } from "./layout.ts";
import { isNative, isSavepoint } from "./savepoints.ts";

const SPLIT = 16;
const KEY = 24;
const COUNTER = 8;
/** In the place of an operator: the subtask's channels. */
const CHANNELS = -1;
/** RocksDB's `level0_file_num_compaction_trigger`. */
const FILES_TO_MERGE = 4;

/** A piece of state that is written as a whole. `file`: its number in storage, 0 where it has no file of its own. */
export interface StateObject {
  /** The local file that it is a copy of, 0: none. */
  readonly local: number;
  readonly operator: number;
  readonly bytes: number;
  readonly shared: boolean;
  readonly file: number;
  readonly fresh: boolean;
}

/** Does a run keep an account of objects: has it files, parts that snapshots share, or local copies? */
export function keepsObjects(k: Kernel): boolean {
  const { state, localRecovery } = k.plan.scenario.config;
  return state.storage === "filesystem" || state.incremental || state.changelog || localRecovery;
}

function operatorsOf(k: Kernel, task: number): readonly number[] {
  return at(k.plan.graph.vertices, at(k.plan.graph.subtasks, task).taskVertex).operators;
}

function isKeyed(k: Kernel, operator: number): boolean {
  const { kind } = at(k.plan.operators, operator);
  return kind === "keyed-sum" || kind === "keyed-count" || kind === "dedup";
}

function pieceSize(k: Kernel, operator: number, standard: number): number {
  return at(k.plan.graph.operators, operator).vertex.stateSize ?? standard;
}

/** Where a snapshot says which records are in each key's state. */
function keyPlaces(k: Kernel, task: number, operator: number): number[] {
  const { state, keyOwner } = at(k.plan.operators, operator);
  const keys = keyOwner.filter((owner) => owner === at(k.plan.graph.subtasks, task).number).length;
  return Array.from({ length: keys }, (_, key) => state + 2 * key + 1);
}

/** Bytes of one operator's state in a snapshot; there may be none yet. */
function operatorBytes(k: Kernel, task: number, operator: number, snapshot: number): number {
  const { sequences } = k.arena;
  const { kind, state, splits, sink } = at(k.plan.operators, operator);
  if (sequences.length(snapshot) === 0) return 0;
  if (kind === "source") return SPLIT * at(splits, at(k.plan.graph.subtasks, task).number).length;
  if (kind === "counter") return pieceSize(k, operator, COUNTER);
  if (sink?.kind === "writeAheadLog") return RECORD_BYTES * loggedRecords(k, sequences.item(snapshot, state), 0).length;
  if (kind === "sink" || kind === "committer") return (SPLIT * sequences.length(sequences.item(snapshot, state))) / 3;
  if (!isKeyed(k, operator) || at(k.plan.operators, operator).outside) return 0;
  if (kind === "dedup") return idsIn(k, task, operator, snapshot) * pieceSize(k, operator, SPLIT);
  const keys = keyPlaces(k, task, operator).filter((place) => sequences.item(snapshot, place) !== 0);
  return pieceSize(k, operator, KEY) * keys.length;
}

/** Ids that a `dedup` has seen: each is a piece of its state. */
function idsIn(k: Kernel, task: number, operator: number, snapshot: number): number {
  const { sequences, lists } = k.arena;
  return keyPlaces(k, task, operator).reduce(
    (sum, place) => sum + lists.toArray(sequences.item(snapshot, place)).length,
    0,
  );
}

/** Bytes that came into a keyed operator's state since the last snapshot: keys that changed, or each single change. */
function addedBytes(k: Kernel, task: number, operator: number, snapshot: number): number {
  const { sequences, lists } = k.arena;
  const { changelog } = k.plan.scenario.config.state;
  const before = k.world.task(task, Task.flushed);
  const { kind, outside } = at(k.plan.operators, operator);
  if (outside) return 0;
  if (kind === "dedup") {
    const known = sequences.length(before) === 0 ? 0 : idsIn(k, task, operator, before);
    return (idsIn(k, task, operator, snapshot) - known) * pieceSize(k, operator, SPLIT);
  }
  let count = 0;
  for (const place of keyPlaces(k, task, operator)) {
    const known = sequences.length(before) === 0 ? 0 : sequences.item(before, place);
    let list = sequences.item(snapshot, place);
    if (!changelog && list !== known) count++;
    for (; changelog && list !== known && list !== 0; list = lists.before(list)) count++;
  }
  return count * pieceSize(k, operator, KEY);
}

function nextNumber(k: Kernel): number {
  k.world.addJob(Job.files, 1);
  return k.world.job(Job.files);
}

type Local = readonly [local: number, operator: number, bytes: number];

/** The task's local files of one operator after this snapshot (CP-113, CP-115). */
function flush(k: Kernel, task: number, operator: number, snapshot: number): Local[] {
  const { world, arena } = k;
  const { changelog, materializeEvery } = k.plan.scenario.config.state;
  const words = arena.sequences.toArray(world.task(task, Task.local));
  let files: Local[] = [];
  for (let i = 0; i < words.length; i += 3) files.push([words[i] ?? 0, words[i + 1] ?? 0, words[i + 2] ?? 0]);
  files = files.filter(([, owner]) => owner === operator);
  const file = (bytes: number): Local[] => (bytes === 0 ? [] : [[nextNumber(k), operator, bytes]]);
  if (changelog && k.now - world.taskTime(task, TaskTime.materialized) >= materializeEvery)
    return file(operatorBytes(k, task, operator, snapshot));
  if (!changelog && files.length >= FILES_TO_MERGE)
    files = file(operatorBytes(k, task, operator, world.task(task, Task.flushed)));
  return [...files, ...file(addedBytes(k, task, operator, snapshot))];
}

/** The synchronous part: what the asynchronous one is to write is settled. */
export function settleObjects(k: Kernel, task: number, checkpoint: number, snapshot: number): void {
  if (!keepsObjects(k)) return;
  const { world, arena } = k;
  const { storage, inlineThreshold, incremental, changelog } = k.plan.scenario.config.state;
  const base = objectsIn(k, world.task(task, Task.base));
  const objects: StateObject[] = [];
  const local: number[] = [];
  const fileOf = (bytes: number): number => (storage === "filesystem" && bytes > inlineThreshold ? nextNumber(k) : 0);
  const native = isNative(k, checkpoint);
  const wholly = isSavepoint(k, checkpoint) && !native;
  for (const operator of operatorsOf(k, task)) {
    if (isKeyed(k, operator) && (incremental || changelog) && !wholly) {
      for (const words of flush(k, task, operator, snapshot)) {
        local.push(...words);
        const [number, , bytes] = words;
        const known = base.find((object) => object.local === number);
        const again = known === undefined || native;
        objects.push({
          ...(again ? { local: number, operator, bytes, shared: !native, file: fileOf(bytes) } : known),
          fresh: again,
        });
      }
      continue;
    }
    const bytes = operatorBytes(k, task, operator, snapshot);
    if (bytes > 0) objects.push({ local: 0, operator, bytes, shared: false, file: fileOf(bytes), fresh: true });
  }
  if (!wholly) {
    const { materializeEvery } = k.plan.scenario.config.state;
    if (changelog && k.now - world.taskTime(task, TaskTime.materialized) >= materializeEvery)
      world.setTaskTime(task, TaskTime.materialized, k.now);
    world.setTask(task, Task.local, arena.sequences.intern(local));
    world.setTask(task, Task.flushed, snapshot);
  }
  world.manifests.push(task, world.task(task, Task.attempt), checkpoint, Stage.writing, handleFor(k, objects), -1);
}

/**
 * Channel state is one more object of its snapshot: input and output of a subtask are written as one. What is new in the
 * snapshot by it; nothing where there is no channel state.
 */
export function addChannelState(k: Kernel, task: number, checkpoint: number, snapshot: number): StateObject[] {
  const { storage, inlineThreshold } = k.plan.scenario.config.state;
  const bytes = channelStateBytes(k, task, snapshot);
  const row = manifestRow(k, task, k.world.task(task, Task.attempt), checkpoint);
  if (bytes === 0) return [];
  const file = storage === "filesystem" && bytes > inlineThreshold ? nextNumber(k) : 0;
  const added = { local: 0, operator: CHANNELS, bytes, shared: false, file, fresh: true };
  if (row < 0) return [added];
  const objects = objectsIn(k, k.world.manifests.get(row, Manifest.objects));
  k.world.manifests.set(row, Manifest.objects, handleFor(k, [...objects, added]));
  return [added];
}

/** The handle of objects. */
export function handleFor(k: Kernel, objects: readonly StateObject[]): number {
  const words = objects.flatMap(({ local, operator, bytes, shared, file, fresh }) => [
    local,
    operator,
    bytes,
    Number(shared),
    file,
    Number(fresh),
  ]);
  return k.arena.sequences.intern(words);
}

/** The objects that a handle holds. */
export function objectsIn(k: Kernel, handle: number): StateObject[] {
  const words = k.arena.sequences.toArray(handle);
  return Array.from({ length: words.length / 6 }, (_, index) => {
    const [local = 0, operator = 0, bytes = 0, shared, file = 0, fresh] = words.slice(6 * index, 6 * index + 6);
    return { local, operator, bytes, shared: shared === 1, file, fresh: fresh === 1 };
  });
}

export function manifestRow(k: Kernel, task: number, attempt: number, checkpoint: number): number {
  const { manifests } = k.world;
  for (let row = 0; row < manifests.count; row++) {
    if (manifests.get(row, Manifest.checkpoint) !== checkpoint || manifests.get(row, Manifest.task) !== task) continue;
    if (manifests.get(row, Manifest.attempt) === attempt) return row;
  }
  return -1;
}

/** The objects of a snapshot that an attempt took; `snapshot` is its word, and a finished subtask has none. */
export function objectsOf(k: Kernel, task: number, checkpoint: number, snapshot: number): readonly StateObject[] {
  const row = manifestRow(k, task, k.world.task(task, Task.attempt), checkpoint);
  if (row >= 0) return objectsIn(k, k.world.manifests.get(row, Manifest.objects));
  if (snapshot < 0) return [];
  const whole = (operator: number, bytes: number): StateObject => {
    return { local: 0, operator, bytes, shared: false, file: 0, fresh: true };
  };
  return [
    ...operatorsOf(k, task).map((operator) => whole(operator, operatorBytes(k, task, operator, snapshot))),
    whole(CHANNELS, channelStateBytes(k, task, snapshot)),
  ];
}

export function bytesOf(objects: readonly StateObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * FR-110, CP-116: with a snapshot that is written the TaskManager keeps a copy of its keyed state on its own disk
 * (`TaskLocalStateStoreImpl`). Unaligned checkpoints have none.
 */
export function keepLocalCopy(k: Kernel, task: number, manifest: number): void {
  const { localRecovery, checkpointing } = k.plan.scenario.config;
  if (!localRecovery || checkpointing.unaligned || !operatorsOf(k, task).some((operator) => isKeyed(k, operator)))
    return;
  k.world.manifests.set(manifest, Manifest.home, k.world.task(task, Task.host));
}

/** Has this TaskManager a copy of what the subtask had in a checkpoint? */
export function isLocal(
  { world: { manifests } }: Kernel,
  task: number,
  checkpoint: number,
  taskManager: number,
): boolean {
  for (let row = 0; row < manifests.count; row++) {
    if (manifests.get(row, Manifest.checkpoint) !== checkpoint || manifests.get(row, Manifest.task) !== task) continue;
    if (manifests.get(row, Manifest.home) === taskManager) return true;
  }
  return false;
}

/** They are gone with the process. */
export function loseLocalCopies({ world: { manifests } }: Kernel, taskManager: number): void {
  for (let row = 0; row < manifests.count; row++)
    if (manifests.get(row, Manifest.home) === taskManager) manifests.set(row, Manifest.home, -1);
}

/** CP-113: what a checkpoint that is complete holds need not be written again. */
export function confirmObjects(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  const row = manifestRow(k, task, world.task(task, Task.attempt), checkpoint);
  if (row >= 0) world.setTask(task, Task.base, world.manifests.get(row, Manifest.objects));
}

/** A new attempt has no local files; one that is restored downloads those of its checkpoint, and builds on them. */
export function restoreObjects(k: Kernel, task: number, objects: number, snapshot: number): void {
  const { world, arena } = k;
  const local = objectsIn(k, objects).filter((object) => object.local > 0);
  world.setTask(task, Task.base, objects);
  world.setTask(
    task,
    Task.local,
    arena.sequences.intern(local.flatMap((object) => [object.local, object.operator, object.bytes])),
  );
  // Without local files to build on the next snapshot writes everything (CP-171).
  world.setTask(task, Task.flushed, local.length > 0 ? snapshot : 0);
  world.setTaskTime(task, TaskTime.materialized, k.now);
}
