/**
 * What has become of every input record at one cursor, told from the log alone: how often it is in each operator's state,
 * how often each sink's readers see it, and whether it can still come (the contract's `delivery`, `state` and `verdict`;
 * KF-030 to KF-033). The engine's report counts the same from its world: two independent computations that must agree.
 *
 * A record that is missing is *lost* once nothing can still deliver it: it is in no buffer, no undecided transaction, and
 * behind every position from which its source will go on, that of the restorable checkpoint included while a restart is to
 * be expected. Else it is *pending*; one that was never read is *unprocessed*.
 */
import { at } from "../base/assert.ts";
import { canRewind } from "../protocol/job-graph.ts";
import { type Reader, isCommitted, isSink, traitsOf } from "../protocol/sinks.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { VerdictWord } from "../scenario/report.ts";
import { DUPLICATED, Fates, LOST, PENDING, UNPROCESSED } from "./fates.ts";
import { checkpointPlace } from "./own.ts";
import { seenBy } from "./seen-by.ts";
import type { TableRows } from "../scenario/table-rows.ts";
import type { Shared } from "./shared.ts";
import type { RunView, StateView } from "./views.ts";

/** What should be there; `referenceOf(scenario)` says so. */
export type ExpectedOutputs = Pick<Reference, "outputs" | "inputs">;

export interface Account {
  readonly fates: Fates;
  /** By record: how often it should be there, and how often it is. */
  readonly expected: Int32Array;
  readonly counts: Int32Array;
  /** The contract's word, and the word if what is pending comes as it should: the verdict so far. */
  readonly word: VerdictWord;
  readonly soFar: VerdictWord;
}

export interface SinkAccount extends Account {
  /** The sink operator. */
  readonly operator: number;
  readonly reader: Reader;
  /** Records whose row in a table is wrong, and how often a row of it stepped back. */
  readonly wrong: readonly number[];
  readonly regressions: number;
  /** Output records that should be seen, and that are. */
  readonly wanted: number;
  readonly seen: number;
}

/** The worst of the sinks as committed readers see them, by the word so far. */
export interface EndToEnd {
  readonly step: number;
  readonly sinks: readonly SinkAccount[];
  readonly soFar: VerdictWord;
}

export interface StateAccount extends Account {
  readonly operator: number;
}

export interface LedgerView {
  readonly step: number;
  /** Each sink once for each kind of its readers. */
  readonly sinks: readonly SinkAccount[];
  readonly states: readonly StateAccount[];
  /** The worst of the states, and of the sinks as committed readers see them. */
  readonly verdict: { readonly state: VerdictWord; readonly endToEnd: VerdictWord };
  readonly soFar: { readonly state: VerdictWord; readonly endToEnd: VerdictWord };
}

/** Counts per record, made once for a scenario. */
export interface Expected {
  readonly sinks: readonly Int32Array[];
  /** By sink: all that should be there. */
  readonly wanted: readonly number[];
  readonly outputs: ExpectedOutputs["outputs"];
  readonly states: ReadonlyMap<number, Int32Array>;
}

export function expectedOf(shared: Shared, reference: ExpectedOutputs): Expected {
  const count = recordCount(shared);
  const tally = (records: Iterable<number>): Int32Array => {
    const counts = new Int32Array(count);
    for (const record of records) counts[record] = (counts[record] as number) + 1;
    return counts;
  };
  const states = new Map<number, Int32Array>();
  for (const { index, vertex } of shared.graph.operators) {
    const inputs = reference.inputs.get(vertex.uid);
    if (inputs !== undefined) states.set(index, tally(inputs));
  }
  const sinks = reference.outputs.map((outputs) => tally(outputs.map(({ record }) => record)));
  const isTable = (sink: number): boolean => {
    const { vertex } = at(shared.graph.operators, at(shared.graph.sinks, sink));
    return isSink(vertex) && traitsOf(vertex).readers.includes("table");
  };
  // Rows are looked at in tables only; of a long run they are megabytes.
  const outputs = reference.outputs.map((rows, sink) => (isTable(sink) ? rows : []));
  return { sinks, wanted: reference.outputs.map(({ length }) => length), outputs, states };
}

/** By job and the offsets at which its sources began. */
const later = new WeakMap<Shared, Map<string, Expected>>();

function overInput({ shared, inputs, inputLog }: RunView, given: Expected): Expected {
  const begins = shared.records.map((list, partition) => {
    if (inputLog.missing.includes(partition)) return list.length;
    return Math.max(0, inputs.find((input) => input.partition === partition)?.begin ?? 0);
  });
  if (begins.every((begin) => begin === 0)) return given;
  const known = later.get(shared) ?? new Map<string, Expected>();
  later.set(shared, known);
  const key = begins.join(",");
  const found = known.get(key) ?? expectedOf(shared, referenceOf(shared.scenario, begins));
  known.set(key, found);
  return found;
}

function recordCount({ records }: Shared): number {
  return Math.max(0, ...records.map((list) => list.length)) * records.length;
}

/** `given`: what should be there of all input; where a source begins later, or a partition never came, of the rest. */
export function ledgerOf(view: RunView, given: Expected): LedgerView {
  const basis = basisOf(view, given);
  const sinks = sinkAccounts(basis, () => true);
  const states = [...basis.expected.states].map(([operator, wanted]): StateAccount => {
    const counts = inStateOf(view, operator);
    return { operator, ...account(basis, wanted, counts, null) };
  });
  const committed = sinks.filter(({ reader }) => isCommitted(reader));
  return {
    step: view.step,
    sinks,
    states,
    verdict: { state: worst(states, "word"), endToEnd: worst(committed, "word") },
    soFar: { state: worst(states, "soFar"), endToEnd: worst(committed, "soFar") },
  };
}

/** The part of the ledger that the readers outside see. */
export function endToEndOf(view: RunView, given: Expected): EndToEnd {
  const sinks = sinkAccounts(basisOf(view, given), isCommitted);
  return { step: view.step, sinks, soFar: worst(sinks, "soFar") };
}

/** What all accounts of one moment begin with. */
interface Basis {
  readonly view: RunView;
  readonly expected: Expected;
  /** By record: is it on its way? */
  readonly flight: Uint8Array;
  /** By input partition: from where on records will still be read, and up to where some have been. */
  readonly standing: Int32Array;
  readonly furthest: Int32Array;
}

function basisOf(view: RunView, given: Expected): Basis {
  const expected = overInput(view, given);
  return { view, expected, flight: inFlight(view), standing: positions(view), furthest: furthestOf(view) };
}

function sinkAccounts(basis: Basis, wants: (reader: Reader) => boolean): SinkAccount[] {
  const { view, expected } = basis;
  return view.shared.graph.sinks.flatMap((operator, sink) =>
    readersOf(view, operator)
      .filter(wants)
      .map((reader): SinkAccount => {
        const { counts, undecided, table, total } = seenBy(view, operator, reader, recordCount(view.shared));
        const judgement = account(basis, at(expected.sinks, sink), counts, undecided);
        return {
          operator,
          reader,
          wanted: at(expected.wanted, sink),
          seen: total,
          ...judged(judgement, table, at(expected.outputs, sink)),
        };
      }),
  );
}

function readersOf({ shared: { graph } }: RunView, operator: number): readonly Reader[] {
  const { vertex } = at(graph.operators, operator);
  return isSink(vertex) ? traitsOf(vertex).readers : [];
}

/** Who reads a table by key sees no double (SK-032); a row that is wrong at rest holds some record twice (SK-112). */
function judged(
  account: Account,
  table: TableRows | null,
  outputs: ExpectedOutputs["outputs"][number],
): Account & Pick<SinkAccount, "wrong" | "regressions"> {
  if (table === null) return { ...account, wrong: [], regressions: 0 };
  const wrong = table.wrong(outputs);
  const { fates } = account;
  const rests = fates.count("pending") + fates.count("unprocessed") === 0;
  const doubles = fates.count("duplicated") > 0 ? "effectively-once" : "exactly-once";
  const soFar = fates.count("lost") > 0 ? "at-most-once" : rests && wrong.length > 0 ? "at-least-once" : doubles;
  return {
    ...account,
    soFar,
    word: rests || fates.count("lost") > 0 ? soFar : "pending",
    wrong,
    regressions: table.regressions,
  };
}

const order: readonly VerdictWord[] = [
  "exactly-once",
  "effectively-once",
  "pending",
  "at-least-once",
  "at-most-once",
  "broken",
];

function worst(accounts: readonly Account[], field: "word" | "soFar"): VerdictWord {
  const words = accounts.map((each) => each[field]);
  return words.reduce((a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b), "exactly-once");
}

/** Records in channels, in hand, between two operators, or on their way to the log. */
function inFlight(view: RunView): Uint8Array {
  const flight = new Uint8Array(recordCount(view.shared));
  for (const { queue, fill } of view.channels) {
    if (fill > 0) for (const { kind, id } of queue) if (kind === "record") flight[id] = 1;
  }
  for (const { work, sinks } of view.subtasks) {
    if (work?.kind === "record") flight[work.record] = 1;
    for (const { unwritten } of sinks) for (const { record } of unwritten) flight[record] = 1;
  }
  view.subtasks.forEach((_, subtask) => {
    for (const batches of [at(view.subtasks, subtask).held, stateOf(view, subtask)].flatMap(({ logged }) => logged))
      for (const { records } of batches) for (const record of records) flight[record] = 1;
  });
  if (view.passing !== null) flight[view.passing.record] = 1;
  for (const record of inChannelState(view)) flight[record] = 1;
  return flight;
}

/** Records in the channel state of the checkpoint that subtasks which do not run will be given, or have been. */
function inChannelState(view: RunView): number[] {
  const { coordinator, shared } = view;
  const { unaligned, withoutChannelState } = shared.scenario.config.checkpointing;
  if (!unaligned || isOver(view)) return [];
  const restart = restarting(view);
  return view.subtasks.flatMap(({ state, restored }, subtask) => {
    if (state === "RUNNING" && !restart.has(at(shared.regions, subtask))) return [];
    const checkpoint = state !== "RUNNING" && restored >= 0 ? restored : coordinator.restoreCandidate;
    const place = checkpoint === withoutChannelState ? -1 : checkpointPlace(view, checkpoint);
    const stored = place < 0 ? [] : (view.checkpoints[place]?.parts[subtask]?.inFlight ?? []);
    return stored.flatMap(({ element }) => (element.kind === "record" ? [element.id] : []));
  });
}

/** By input partition: from where on records will still be read. */
function positions(view: RunView): Int32Array {
  const { shared } = view;
  const standing = new Int32Array(shared.graph.inputs.length).fill(2147483647);
  const restart = restarting(view);
  for (const { partition, subtask, operator, position, checkpointed } of view.inputs) {
    // What was delivered over a connection that is broken comes from nowhere again.
    const goesBack = restart.has(at(shared.regions, subtask)) && canRewind(at(shared.graph.operators, operator).vertex);
    const restorable = goesBack ? Math.max(0, checkpointed) : position;
    standing[partition] = Math.min(at(standing, partition), position, restorable);
  }
  return standing;
}

const over: ReadonlySet<string> = new Set(["FAILING", "FAILED", "CANCELLING", "CANCELED", "FINISHED"]);

/** Is nothing started again by itself any more? */
function isOver({ job, shared }: RunView): boolean {
  if (job.status === "SUSPENDED") return !shared.scenario.config.state.highAvailability;
  return over.has(job.status);
}

/** Regions that a restart is to be expected of, since a thread in them is not there; none once the job ends. */
function restarting(view: RunView): ReadonlySet<number> {
  const regions = new Set<number>();
  if (isOver(view)) return regions;
  view.subtasks.forEach(({ thread, ending }, subtask) => {
    if (thread === "closing" || (thread === "ended" && ending !== "FINISHED"))
      regions.add(at(view.shared.regions, subtask));
  });
  for (const { restarted } of view.job.restarting) {
    for (const subtask of restarted)
      if (at(view.subtasks, subtask).thread !== "running") regions.add(at(view.shared.regions, subtask));
  }
  return regions;
}

/** `undecided`, by record: is it there and not yet decided? */
function account(
  { view, flight, standing, furthest }: Basis,
  expected: Int32Array,
  counts: Int32Array,
  undecided: Uint8Array | null,
): Account {
  const fates = new Fates(expected.length);
  const partitions = view.shared.graph.inputs.length;
  const held = (record: number): boolean => flight[record] === 1 || undecided?.[record] === 1;
  for (let record = 0, offset = 0, partition = 0; record < expected.length; record++) {
    const wanted = expected[record] as number;
    const seen = counts[record] as number;
    if (seen !== wanted) {
      const passed = offset < (standing[partition] as number);
      // What was never read is held by nobody: of a long run that is most of it.
      if (seen > wanted) fates.note(record, DUPLICATED);
      else if (!passed && offset >= (furthest[partition] as number)) fates.note(record, UNPROCESSED);
      else fates.note(record, held(record) || !passed ? PENDING : LOST);
    }
    if (++partition < partitions) continue;
    partition = 0;
    offset++;
  }
  const doubles = fates.count("duplicated") > 0;
  const broken = fates.count("lost") > 0 ? (doubles ? "broken" : "at-most-once") : null;
  const soFar: VerdictWord = broken ?? (doubles ? "at-least-once" : "exactly-once");
  const rests = fates.count("pending") + fates.count("unprocessed") === 0;
  const word = soFar === "exactly-once" && !rests ? "pending" : soFar;
  return { fates, expected, counts, word, soFar };
}

function furthestOf(view: RunView): Int32Array {
  const furthest = new Int32Array(view.shared.graph.inputs.length);
  for (const input of view.inputs) furthest[input.partition] = Math.max(at(furthest, input.partition), input.furthest);
  return furthest;
}

/** How often each record is in an operator's state, over all its subtasks. */
function inStateOf(view: RunView, operator: number): Int32Array {
  const { graph, applied } = view.shared;
  const counts = new Int32Array(recordCount(view.shared));
  for (const subtask of at(graph.vertices, at(graph.operators, operator).taskVertex).subtasks) {
    const state = stateOf(view, subtask).operators.find((candidate) => candidate.operator === operator);
    for (let node = state?.newest ?? -1; node >= 0; node = applied.before(node)) {
      const record = applied.record(node);
      counts[record] = (counts[record] as number) + 1;
    }
  }
  return counts;
}

/** What a subtask holds; for a new attempt that still waits for its state, what it will be given. */
export function stateOf(view: RunView, subtask: number): StateView {
  const { held, thread, attempt, restored } = at(view.subtasks, subtask);
  if (thread !== "none" || attempt <= 0 || restored >= 0 || view.coordinator.restoreCandidate < 0) return held;
  const place = checkpointPlace(view, view.coordinator.restoreCandidate);
  return (place < 0 ? null : view.checkpoints[place]?.parts[subtask]?.contents) ?? held;
}
