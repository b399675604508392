/** The graph as a treegrid that says the same as the picture, live, with everything one can do there (WAI-ARIA treegrid). */
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- a treegrid is a table with that role (WAI-ARIA) */
import "../styles/outline.css";
import { ChevronRight, Zap } from "lucide-react";
import { type KeyboardEvent, type ReactElement, memo, useEffect, useMemo, useRef, useState } from "react";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type StageElement, type Stop, sameElement } from "../../view/stage/elements.ts";
import { inspect, openMenu, select } from "../app-actions.ts";
import { canFail } from "../can-fail.ts";
import { useOutlineText } from "../text/outline-text.ts";
import { useApp } from "../use-app.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { type OutlineRow, outlineRows } from "./outline/rows.ts";
import { moved } from "./outline/walk.ts";

/** Jobs with more subtasks begin with their operators closed. */
const OPEN_UP_TO = 32;

export default function Outline(): ReactElement | null {
  const moment = useMoment();
  return moment === null ? null : <Grid moment={moment} />;
}

const groups = ["sources", "outside", "machines"];

/** What is open at first. */
function openAtFirst({ vertices, subtasks }: ExecutionGraph): ReadonlySet<string> {
  return subtasks.length > OPEN_UP_TO ? new Set() : new Set([...groups, ...vertices.map(({ uid }) => `vertex:${uid}`)]);
}

function Grid({ moment }: { readonly moment: Moment }): ReactElement {
  const words = useOutlineText();
  const selection = useApp((app) => app.selection);
  const { isOpen, turn } = useOpen(moment.graph);
  const [current, setCurrent] = useState("jobManager");
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = outlineRows(moment, isOpen, words);
  const stop = rows.some(({ path }) => path === current) ? current : "jobManager";
  const goTo = (path: string): void => {
    setCurrent(path);
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(path)}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows.find(({ path }) => path === stop);
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey || !act(event, row, { rows, turn, goTo }))
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  useLogicalFocus(body, stop);
  return (
    <div className="outline">
      <p className="muted outline-hint" aria-hidden>
        {words.hint}
      </p>
      <table role="treegrid" className="table outline-table" aria-label={words.label} onKeyDown={keys}>
        <Head />
        <tbody ref={body}>
          {rows.map((row) => (
            <Row
              key={row.path}
              {...row}
              isStop={row.path === stop}
              selected={isElement(row.stop) && sameElement(row.stop, selection)}
              onFocus={setCurrent}
              onTurn={turn}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Open {
  readonly isOpen: (path: string) => boolean;
  /** Opens it, or closes it. */
  readonly turn: (path: string) => void;
}

function useOpen(graph: ExecutionGraph): Open {
  const first = useMemo(() => openAtFirst(graph), [graph]);
  /** What somebody has opened or closed since. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const turn = (path: string): void =>
    setTurned((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return { isOpen: (path) => first.has(path) !== turned.has(path), turn };
}

/** A row that a restart, or another job, has taken away gives the focus to one that is there. */
function useLogicalFocus(body: { readonly current: HTMLElement | null }, stop: string): void {
  const had = useRef(false);
  useEffect(() => {
    const inside = body.current?.contains(document.activeElement) === true;
    if (had.current && !inside && document.activeElement === document.body)
      body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(stop)}"]`)?.focus({ preventScroll: true });
    had.current = inside;
  });
}

function isElement(stop: Stop | null): stop is StageElement {
  return stop !== null && stop.kind !== "vertex";
}

interface Ways {
  readonly rows: readonly OutlineRow[];
  readonly turn: (path: string) => void;
  readonly goTo: (path: string) => void;
}

/** Does what the key says in a row; `false`: it says nothing here. */
function act(
  { key, shiftKey, target }: KeyboardEvent<HTMLElement>,
  row: OutlineRow,
  { rows, turn, goTo }: Ways,
): boolean {
  const onButton = target instanceof HTMLButtonElement;
  const way = moved(rows, row, key);
  if (way !== null) {
    if (way === "turn") turn(row.path);
    else goTo(way);
    return true;
  }
  if (key === "f" || key === "F" || (key === "F10" && shiftKey) || key === "ContextMenu") {
    if (canFail(row.stop)) ask(row.stop, rowOf(row.path));
    return true;
  }
  if (onButton || (key !== "Enter" && key !== " ")) return false;
  if (!isElement(row.stop)) turn(row.path);
  else if (key === "Enter") inspect(row.stop);
  else select(row.stop);
  return true;
}

/** The fault menu at a row; the focus comes back to it. */
function ask(stop: Stop, row: HTMLElement | null): void {
  if (row === null) return;
  const { left, bottom } = (row.querySelector("th") ?? row).getBoundingClientRect();
  openMenu(stop, left + 24, bottom, row);
}

function Head(): ReactElement {
  const { columns } = useOutlineText();
  return (
    <thead>
      <tr>
        {Object.entries(columns).map(([column, name]) => (
          <th key={column} scope="col" className={`outline-${column}`}>
            {column === "actions" ? <span className="visually-hidden">{name}</span> : name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps extends OutlineRow {
  readonly isStop: boolean;
  readonly selected: boolean;
  readonly onFocus: (path: string) => void;
  readonly onTurn: (path: string) => void;
}

const shown = [
  "path",
  "level",
  "open",
  "name",
  "state",
  "checkpoint",
  "input",
  "output",
  "transaction",
  "isStop",
  "selected",
] as const;

/** Drawn again only where something in it has changed. */
const Row = memo(
  DrawnRow,
  (one, other) => shown.every((field) => one[field] === other[field]) && one.stop?.id === other.stop?.id,
);

function DrawnRow(props: RowProps): ReactElement {
  const { path, level, open, stop, name, isStop, selected, onFocus, onTurn } = props;
  const { columns } = useOutlineText();
  return (
    <tr
      data-row={path}
      data-level={level}
      aria-level={level}
      aria-expanded={open ?? undefined}
      aria-selected={selected}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => onFocus(path)}
      onDoubleClick={() => (isElement(stop) ? inspect(stop) : undefined)}
    >
      <th scope="row">
        {open === null ? null : (
          <button type="button" className="outline-turn" tabIndex={-1} aria-hidden onClick={() => onTurn(path)}>
            <ChevronRight />
          </button>
        )}
        <span className="outline-name">{name}</span>
      </th>
      {(["state", "checkpoint", "input", "output", "transaction"] as const).map((column) => (
        <td key={column} data-name={columns[column]}>
          {props[column]}
        </td>
      ))}
      <td>{canFail(stop) ? <Ask stop={stop} name={name} path={path} isStop={isStop} /> : null}</td>
    </tr>
  );
}

interface AskProps {
  readonly stop: Stop;
  readonly name: string;
  readonly path: string;
  readonly isStop: boolean;
}

function Ask({ stop, name, path, isStop }: AskProps): ReactElement {
  const { actionsOf } = useOutlineText();
  return (
    <button
      type="button"
      className="icon-button outline-ask"
      aria-haspopup="menu"
      aria-label={actionsOf(name)}
      tabIndex={isStop ? 0 : -1}
      onClick={() => ask(stop, rowOf(path))}
    >
      <Zap aria-hidden />
    </button>
  );
}

function rowOf(path: string): HTMLElement | null {
  return document.querySelector(`[data-row="${CSS.escape(path)}"]`);
}
