/** Everything that is under way, as a table of tokens: where each left, where it goes, and when. */
import { at } from "../../base/assert.ts";
import { type Capture, capturesOf } from "../../projection/channel-contents.ts";
import { partOf } from "../../projection/checkpoints.ts";
import { checkpointPlace } from "../../projection/own.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import { snapshotDuration } from "../../projection/timing.ts";
import type { ElementView } from "../../projection/element-view.ts";
import type { MessageView } from "../../projection/message-view.ts";
import type { RunView } from "../../projection/views.ts";
import type { MachineStates } from "../machines/actors.ts";
import { type CheckpointFrame, type Later, SAVEPOINT, type Token } from "./frame-types.ts";
import type { ChannelPlace, StageLayout } from "./layout-types.ts";
import type { Path } from "./path.ts";
import { type Routes, routesOf } from "./routes.ts";

export function tokensOf(
  view: RunView,
  states: MachineStates,
  layout: StageLayout,
  storage: readonly CheckpointFrame[],
  later: Later | null,
): Token[] {
  const tokens: Token[] = [];
  const captures = capturesOf(view);
  const routes = routesOf(view.shared.graph, layout);
  for (const [channel, { queue }] of view.channels.entries()) {
    const place = layout.channels[channel] ?? at(layout.edges, at(view.shared.graph.channels, channel).edge).bundle;
    if (place !== null && queue.length > 0) pushQueue(tokens, view, channel, place, captures);
  }
  pushHands(tokens, view, layout, captures);
  for (const message of view.messages) pushMessage(tokens, message, routes, later);
  pushFiles(tokens, view, states, storage, routes);
  pushWrites(tokens, view, routes);
  tokens.push(...(later?.restoreTokens(view, layout, storage, routes) ?? []));
  return tokens;
}

/** What most tokens are not. */
const plain = { pass: 1, falls: null, captured: null, restored: false, overtakes: false } as const;

/** From where a barrier waits that goes first to the port, so that it hides nothing of the reader. */
const FRONT = 22;

/** Does a channel's barrier go before what its sender has still to send, or what its reader has still to take (CP-072, CP-077)? */
function overtakesOn(view: RunView, channel: number, checkpoint: number): boolean {
  const { from, to, edge } = at(view.shared.graph.channels, channel);
  const { handler } = at(view.subtasks, to);
  if (handler.checkpoint === checkpoint && handler.state.endsWith("_UNALIGNED")) return true;
  const part = partOf(view, checkpoint, from);
  return at(view.shared.overtakes, edge) && part !== null && (part.unaligned || part.convertedAt >= 0);
}

function recordToken(
  view: RunView,
  record: number,
  pass: number,
  path: Path,
): Omit<Token, "from" | "to" | "departure" | "arrival" | "waits"> {
  const key = keyOfRecord(view.shared, record);
  return { ...plain, kind: "record", mark: key, letter: view.shared.graph.keys[key] ?? "", pass, path };
}

/** The elements of a channel: those that have arrived stand in the tray in their order, the others run up to them. */
function pushQueue(
  tokens: Token[],
  view: RunView,
  channel: number,
  place: ChannelPlace,
  captures: ReadonlyMap<ElementView, Capture>,
): void {
  const { path, slot, slots, rest } = place;
  const { queue, blocked } = at(view.channels, channel);
  // The lock of a blocked channel stands on the first place.
  let waiting = blocked >= 0 ? 1 : 0;
  for (const element of queue) {
    const there = element.arrivesAt <= view.clock;
    if (element.kind === "barrier" && overtakesOn(view, channel, element.id)) {
      tokens.push({ ...elementToken(view, element, path, path.length - FRONT, null), overtakes: true });
      continue;
    }
    // What does not fit into the tray is told by the channel's count.
    if (there && waiting >= slots) continue;
    const inTray = path.length - rest - (Math.min(waiting, slots - 1) + 0.5) * slot;
    const to = waiting === 0 && !there ? path.length : inTray;
    tokens.push(elementToken(view, element, path, to, captures.get(element) ?? null));
    if (there) waiting++;
  }
}

const TOKENS = {
  committable: "file",
  barrier: "barrier",
  "cancel-marker": "cancelMarker",
  "end-of-data": "end",
  "end-of-partition": "end",
} as const;

function elementToken(view: RunView, element: ElementView, path: Path, to: number, captured: Capture | null): Token {
  const way = { from: 0, to, departure: element.sentAt, arrival: element.arrivesAt, waits: true };
  if (element.kind === "record") {
    const token = recordToken(view, element.id, element.pass, path);
    return { ...token, captured, restored: element.restored >= 0, ...way };
  }
  const savepoint = element.kind === "barrier" && view.checkpoints[checkpointPlace(view, element.id)]?.kind;
  const letter = savepoint === "SAVEPOINT" || savepoint === "SYNC_SAVEPOINT" ? SAVEPOINT : "";
  // A committable has the colour of the checkpoint that it is for.
  const mark = element.kind === "committable" ? element.value : element.id;
  return { ...plain, kind: TOKENS[element.kind], path, mark, letter, captured, ...way };
}

/** The record that a thread works on stands at its port. */
function pushHands(
  tokens: Token[],
  view: RunView,
  layout: StageLayout,
  captures: ReadonlyMap<ElementView, Capture>,
): void {
  for (const { work } of view.subtasks) {
    if (work?.kind !== "record" || work.channel < 0) continue;
    const place = layout.channels[work.channel];
    if (place === null || place === undefined) continue;
    const { path } = place;
    tokens.push({
      ...recordToken(view, work.record, work.pass, path),
      captured: (work.element && captures.get(work.element)) ?? null,
      restored: work.element !== null && work.element.restored >= 0,
      from: path.length,
      to: path.length,
      departure: work.since,
      arrival: work.since,
      waits: true,
    });
  }
}

const letters: { readonly [R in MessageView["rpc"]]: string } = {
  trigger: "T",
  ack: "A",
  decline: "D",
  "notify-complete": "N",
  "notify-aborted": "X",
  "notify-subsumed": "S",
  "coordinator-event": "E",
  commit: "C",
};

function pushMessage(tokens: Token[], message: MessageView, routes: Routes, later: Later | null): void {
  const way =
    message.direction === "to-task"
      ? routes.fromJobManager(message.subtask)
      : message.direction === "to-job-manager"
        ? routes.toJobManager(message.subtask)
        : routes.toOutside(message.subtask);
  const { path, falls } = (message.lost ? later?.fallOff(way) : null) ?? { path: way, falls: null };
  tokens.push({
    ...plain,
    kind: "envelope",
    path,
    from: 0,
    to: path.length,
    departure: message.sentAt,
    arrival: message.arrivesAt,
    waits: false,
    mark: message.checkpoint,
    letter: letters[message.rpc],
    falls,
  });
}

/** State that is being written out goes from its subtask to the storage. */
function pushFiles(
  tokens: Token[],
  view: RunView,
  states: MachineStates,
  storage: readonly CheckpointFrame[],
  routes: Routes,
): void {
  for (const [row, { id }] of storage.entries()) {
    const checkpoint = view.checkpoints.findLast((candidate) => candidate.id === id);
    for (const [subtask, part] of (checkpoint?.parts ?? []).entries()) {
      if (part === null || states.snapshot(subtask, id) !== "RUNNING") continue;
      const path = routes.toStorage(subtask, row);
      const arrival = part.takenAt + snapshotDuration(view.shared, subtask, id, "snapshotAsync");
      tokens.push({
        ...plain,
        kind: "file",
        path,
        from: 0,
        to: path.length,
        departure: part.takenAt,
        arrival,
        waits: true,
        mark: id,
        letter: "",
      });
    }
  }
}

/** Records between a sink and the log. */
function pushWrites(tokens: Token[], view: RunView, routes: Routes): void {
  for (const [subtask, { sinks }] of view.subtasks.entries()) {
    for (const { unwritten } of sinks) {
      for (const { record, pass, sentAt, arrivesAt } of unwritten) {
        const path = routes.toOutside(subtask);
        tokens.push({
          ...recordToken(view, record, pass, path),
          from: 0,
          to: path.length,
          departure: sentAt,
          arrival: arrivesAt,
          waits: false,
        });
      }
    }
  }
}
