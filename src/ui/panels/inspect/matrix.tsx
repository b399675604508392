/**
 * All channels of an exchange at once: a row for each sender, a column for each receiver, in each cell how full the channel
 * is, whether the barrier of the oldest pending checkpoint has come, and whether it is blocked. The same is told in words:
 * the sum above, the cell under the cursor below.
 */
import { type KeyboardEvent, type MouseEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { at } from "../../../base/assert.ts";
import { partOf } from "../../../projection/checkpoints.ts";
import { edgeName } from "../../../view/stage/elements.ts";
import { select } from "../../app-actions.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import type { Moment } from "../../use-view.ts";

interface MatrixProps {
  readonly edge: number;
  readonly moment: Moment;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

interface Cell {
  readonly channel: number;
  readonly fill: number;
  readonly barrier: boolean;
  readonly blocked: boolean;
}

interface Exchanged {
  readonly senders: readonly number[];
  readonly receivers: readonly number[];
  readonly capacity: number;
  /** By row and column; `null`: there is no channel between the two. */
  readonly cells: readonly (readonly (Cell | null)[])[];
  /** Columns whose receivers have had some barriers of the checkpoint, and wait for others, or have had none. */
  readonly waiting: readonly number[];
  readonly checkpoint: number;
}

/** Room for the picture in the inspector, and the least edge of a cell. */
const ROOM = 288;
const LEAST = 4;
const MOST = 22;

export function Matrix({ edge, moment }: MatrixProps): ReactElement {
  const words = useInspectorText().matrix;
  const shown = exchanged(moment, edge);
  const { senders, receivers, cells } = shown;
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 });
  const row = Math.min(place.row, senders.length - 1);
  const column = Math.min(place.column, receivers.length - 1);
  const next = (): void => {
    const to = shown.waiting.find((other) => other > column) ?? shown.waiting[0];
    if (to === undefined) return;
    const missing = cells.findIndex((line) => line[to]?.barrier === false);
    setPlace({ row: Math.max(0, missing), column: to });
  };
  return (
    <section className="matrix" aria-label={words.title}>
      <h3 className="small-title">{words.title}</h3>
      <p className="matrix-summary">{summaryOf(moment, edge, shown, words)}</p>
      <div className="matrix-bar">
        <button type="button" className="button small" onClick={next} disabled={shown.waiting.length === 0}>
          {words.next}
        </button>
        {shown.waiting.length === 0 ? <span>{words.none}</span> : null}
      </div>
      <Picture
        shown={shown}
        place={{ row, column }}
        label={`${words.title}: ${edgeName(moment.graph, edge)}. ${words.help}`}
        onPlace={setPlace}
      />
      <p className="matrix-bar">
        <span>{words.rows}</span>
        <span>{words.columns}</span>
        <span>▪ {words.legend.fill}</span>
        <span>◥ {words.legend.barrier}</span>
        <span>✕ {words.legend.blocked}</span>
      </p>
      <Under shown={shown} place={{ row, column }} moment={moment} />
    </section>
  );
}

interface UnderProps {
  readonly shown: Exchanged;
  readonly place: Place;
  readonly moment: Moment;
}

/** The channel under the cursor, in words. */
function Under({ shown: { cells, senders, receivers, capacity }, place, moment }: UnderProps): ReactElement {
  const words = useInspectorText().matrix;
  const cell = cells[place.row]?.[place.column] ?? null;
  const name = (subtask: number | undefined): string => moment.graph.subtasks[subtask ?? -1]?.name ?? "";
  return (
    <p className="matrix-bar">
      <output>
        {cell === null
          ? ""
          : words.at(
              name(senders[place.row]),
              name(receivers[place.column]),
              words.cell(cell.fill, capacity, cell.barrier, cell.blocked),
            )}
      </output>
      {cell === null ? null : (
        <button type="button" className="link-button" onClick={() => select({ kind: "channel", id: cell.channel })}>
          {words.open}
        </button>
      )}
    </p>
  );
}

const arrows: { readonly [key: string]: readonly [down: number, right: number] } = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function exchanged({ graph, view }: Moment, edge: number): Exchanged {
  const { from, to, channels, capacity } = at(graph.edges, edge);
  const senders = at(graph.vertices, from).subtasks;
  const receivers = at(graph.vertices, to).subtasks;
  const checkpoint = view.coordinator.pending[0] ?? -1;
  const cells: (Cell | null)[][] = senders.map(() => receivers.map(() => null));
  const missing = receivers.map(() => false);
  for (const channel of channels) {
    const ends = at(graph.channels, channel);
    const { handler } = at(view.subtasks, ends.to);
    const passed = (partOf(view, checkpoint, ends.to)?.startedAt ?? -1) >= 0;
    const barrier =
      checkpoint >= 0 && (passed || (handler.checkpoint === checkpoint && handler.aligned.includes(channel)));
    const { fill, blocked } = at(view.channels, channel);
    const column = at(graph.subtasks, ends.to).number;
    if (!barrier) missing[column] = true;
    at(cells, at(graph.subtasks, ends.from).number)[column] = { channel, fill, barrier, blocked: blocked >= 0 };
  }
  const waiting = checkpoint < 0 ? [] : receivers.flatMap((_, column) => (missing[column] ? [column] : []));
  return { senders, receivers, capacity, cells, waiting, checkpoint };
}

function summaryOf(
  { graph }: Moment,
  edge: number,
  { cells, senders, receivers, waiting, capacity }: Exchanged,
  words: ReturnType<typeof useInspectorText>["matrix"],
): string {
  let blocked = 0;
  let fullest: { readonly row: number; readonly column: number; readonly fill: number } | null = null;
  for (const [row, line] of cells.entries())
    for (const [column, cell] of line.entries()) {
      if (cell === null) continue;
      if (cell.blocked) blocked++;
      if (cell.fill > (fullest?.fill ?? 0)) fullest = { row, column, fill: cell.fill };
    }
  const name = (subtask: number): string => at(graph.subtasks, subtask).name;
  const full =
    fullest === null
      ? words.empty
      : words.fullest(name(at(senders, fullest.row)), name(at(receivers, fullest.column)), fullest.fill, capacity);
  return words.summary(edgeName(graph, edge), blocked, waiting.length, receivers.length, full);
}

interface PictureProps {
  readonly shown: Exchanged;
  readonly place: Place;
  readonly label: string;
  readonly onPlace: (place: Place) => void;
}

/** A button: by mouse a cell is pressed, by key the arrows move from cell to cell and Enter shows the channel. */
function Picture({ shown, place, label, onPlace }: PictureProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { senders, receivers, cells } = shown;
  const size = Math.max(LEAST, Math.min(MOST, Math.floor(ROOM / Math.max(senders.length, receivers.length))));
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, shown, size, place);
  });
  const keys = (event: KeyboardEvent): void => {
    const [down, right] = arrows[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onPlace({
      row: Math.min(Math.max(place.row + down, 0), senders.length - 1),
      column: Math.min(Math.max(place.column + right, 0), receivers.length - 1),
    });
  };
  const press = ({ detail, clientX, clientY }: MouseEvent): void => {
    const box = canvas.current?.getBoundingClientRect();
    const cell = cells[place.row]?.[place.column] ?? null;
    // A press by key has no place of its own.
    if (detail === 0 && cell !== null) select({ kind: "channel", id: cell.channel });
    else if (box !== undefined)
      onPlace({ row: Math.floor((clientY - box.top) / size), column: Math.floor((clientX - box.left) / size) });
  };
  return (
    <button type="button" className="matrix-picture" aria-label={label} onKeyDown={keys} onClick={press}>
      <canvas ref={canvas} />
    </button>
  );
}

/** From this size on a cell's marks can be told. */
const MARKS_FROM = 7;

function paint(canvas: HTMLCanvasElement, shown: Exchanged, size: number, { row, column }: Place): void {
  const width = shown.receivers.length * size;
  const height = shown.senders.length * size;
  const scale = window.devicePixelRatio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const ink = colour("--text");
  const colours = { ink, danger: colour("--danger"), epoch: colour(`--epoch-${shown.checkpoint & 3}`) };
  pen.scale(scale, scale);
  pen.fillStyle = colour("--canvas");
  pen.fillRect(0, 0, width, height);
  const inner = size > MARKS_FROM ? size - 1 : size;
  for (const [down, line] of shown.cells.entries())
    for (const [right, cell] of line.entries())
      if (cell !== null) paintCell(pen, cell, cell.fill / shown.capacity, right * size, down * size, inner, colours);
  if (size > MARKS_FROM) grid(pen, width, height, size, colour("--line"));
  pen.strokeStyle = ink;
  pen.lineWidth = 2;
  pen.strokeRect(column * size, row * size, size, size);
}

interface Colours {
  readonly ink: string;
  readonly danger: string;
  readonly epoch: string;
}

/** `full`: its share of the buffers. */
function paintCell(
  pen: CanvasRenderingContext2D,
  { barrier, blocked }: Cell,
  full: number,
  x: number,
  y: number,
  inner: number,
  { ink, danger, epoch }: Colours,
): void {
  if (full > 0) {
    pen.globalAlpha = 0.25 + 0.55 * Math.min(1, full);
    pen.fillStyle = ink;
    pen.fillRect(x, y, inner, inner);
    pen.globalAlpha = 1;
  }
  if (barrier) {
    pen.fillStyle = epoch;
    pen.beginPath();
    pen.moveTo(x + inner * 0.35, y);
    pen.lineTo(x + inner, y);
    pen.lineTo(x + inner, y + inner * 0.65);
    pen.fill();
  }
  if (!blocked) return;
  pen.strokeStyle = danger;
  pen.lineWidth = inner >= MARKS_FROM ? 1.5 : 1;
  pen.beginPath();
  pen.moveTo(x + 1, y + 1);
  pen.lineTo(x + inner - 1, y + inner - 1);
  pen.moveTo(x + inner - 1, y + 1);
  pen.lineTo(x + 1, y + inner - 1);
  pen.stroke();
}

function grid(pen: CanvasRenderingContext2D, width: number, height: number, size: number, line: string): void {
  pen.strokeStyle = line;
  pen.lineWidth = 0.5;
  pen.beginPath();
  for (let x = 0; x <= width; x += size) {
    pen.moveTo(x - 0.5, 0);
    pen.lineTo(x - 0.5, height);
  }
  for (let y = 0; y <= height; y += size) {
    pen.moveTo(0, y - 0.5);
    pen.lineTo(width, y - 0.5);
  }
  pen.stroke();
}
