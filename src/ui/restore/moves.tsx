/** Where each piece of state goes: key groups as a ribbon over their owners before and after, and all pieces in words. */
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import type { RestorePreview } from "../../projection/restore-preview.ts";
import { type StateMove, pieceName } from "../../projection/state-moves.ts";
import { javaHash, keyGroup } from "../../protocol/key-groups.ts";
import { keyLetter } from "../../view/stage/marks/key-shape.ts";
import { useRestoreText } from "../text/restore-text.ts";

/** Subtasks of an operator that are told one by one. */
const TOLD = 16;

export function Moves({ preview }: { readonly preview: RestorePreview }): ReactElement | null {
  const words = useRestoreText();
  const operators = [...new Set(preview.moves.map(({ operator }) => operator))];
  const movesOf = (operator: number): StateMove[] => preview.moves.filter((move) => move.operator === operator);
  const changes = (operator: number): boolean => movesOf(operator).some(({ from, to }) => from !== to);
  const same = operators
    .filter((operator) => !changes(operator))
    .map((operator) => at(preview.graph.operators, operator).vertex.uid);
  if (operators.length === 0) return null;
  return (
    <section className="dry-run-moves" aria-label={words.moves}>
      <h3 className="small-title">{words.moves}</h3>
      {operators.filter(changes).map((operator) => (
        <Operator key={operator} preview={preview} operator={operator} moves={movesOf(operator)} />
      ))}
      {same.length === 0 ? null : <p className="dry-run-note">{words.same(same)}</p>}
    </section>
  );
}

interface OperatorProps {
  readonly preview: RestorePreview;
  readonly operator: number;
  readonly moves: readonly StateMove[];
}

function Operator({ preview: { graph }, operator, moves }: OperatorProps): ReactElement {
  const words = useRestoreText();
  const { vertex, taskVertex } = at(graph.operators, operator);
  const { parallelism } = at(graph.vertices, taskVertex);
  const groups = moves.filter(({ kind }) => kind === "key-groups");
  const size = ({ first, last }: StateMove): number => last - first + 1;
  const sum = (of: readonly StateMove[]): number => of.reduce((all, move) => all + size(move), 0);
  return (
    <>
      <h4 className="dry-run-operator">{vertex.name}</h4>
      {groups.length === 0 ? null : (
        <>
          <p className="muted">{words.movedGroups(sum(groups.filter(({ from, to }) => from !== to)), sum(groups))}</p>
          <Ribbon groups={groups} keys={keysOf(graph, sum(groups))} />
        </>
      )}
      <ul className="list dry-run-pieces">
        {Array.from({ length: Math.min(parallelism, TOLD) }, (_, to) => (
          <li key={to}>
            <span className="mono">{`${vertex.uid}[${to}]`}</span>{" "}
            {moves.some((move) => move.to === to) ? (
              moves
                .filter((move) => move.to === to)
                .map((move) => pieceOf(graph, move, words))
                .join(", ")
            ) : (
              <span className="muted">{words.nothing}</span>
            )}
          </li>
        ))}
        {parallelism > TOLD ? <li className="muted">{words.more(parallelism - TOLD)}</li> : null}
      </ul>
    </>
  );
}

function pieceOf(graph: RestorePreview["graph"], move: StateMove, words: ReturnType<typeof useRestoreText>): string {
  return words.piece(move.kind, pieceName(graph, move), `[${move.from}]`);
}

/** A key where its key group is, in percent of all of them; marked as on the stage. */
interface Key {
  readonly name: string;
  readonly mark: string;
  readonly place: number;
}

const SHAPES = "●▲■◆";
/** More would hide one another. */
const KEYS_MOST = 8;

function keysOf({ keys }: RestorePreview["graph"], groups: number): Key[] {
  if (keys.length > KEYS_MOST) return [];
  return keys.map((name, index) => {
    const place = ((keyGroup(javaHash(name), groups) + 0.5) / groups) * 100;
    return { name, mark: SHAPES[index] ?? keyLetter(name), place };
  });
}

/** The key groups from left to right; above whose they were, below whose they are, between what changes hands. */
function Ribbon({
  groups,
  keys,
}: {
  readonly groups: readonly StateMove[];
  readonly keys: readonly Key[];
}): ReactElement {
  const words = useRestoreText();
  const sorted = groups.toSorted((a, b) => a.first - b.first);
  return (
    <div className="ribbon" aria-hidden>
      <span className="ribbon-name">{words.before}</span>
      <Row pieces={joined(sorted, "from")} className="owner" />
      <Row pieces={sorted} className="band" />
      {keys.length === 0 ? null : (
        <>
          <span className="ribbon-name">{words.keys}</span>
          <span className="ribbon-keys">
            {keys.map(({ name, mark, place }) => (
              <span key={name} title={name} style={{ left: `${place}%` }}>
                {mark}
              </span>
            ))}
          </span>
        </>
      )}
      <span className="ribbon-name">{words.after}</span>
      <Row pieces={joined(sorted, "to")} className="owner" />
    </div>
  );
}

interface Piece extends Pick<StateMove, "first" | "last"> {
  readonly from?: number;
  readonly to?: number;
}

/** Neighbours of the same owner as one. */
function joined(sorted: readonly StateMove[], side: "from" | "to"): Piece[] {
  const pieces: Piece[] = [];
  for (const move of sorted) {
    const last = pieces.at(-1);
    if (last?.[side] === move[side]) pieces[pieces.length - 1] = { ...last, first: last.first, last: move.last };
    else pieces.push({ first: move.first, last: move.last, [side]: move[side] });
  }
  return pieces;
}

function Row({
  pieces,
  className,
}: {
  readonly pieces: readonly Piece[];
  readonly className: "owner" | "band";
}): ReactElement {
  return (
    <span className={`ribbon-row ${className}`}>
      {pieces.map(({ first, last, from, to }) => (
        <span
          key={first}
          className="ribbon-piece"
          style={{ flexGrow: last - first + 1 }}
          data-moved={className === "band" && from !== to}
          data-owner={className === "owner" ? (from ?? to ?? 0) % 4 : undefined}
        >
          {className === "owner" ? (
            <>
              <b>[{from ?? to}]</b> {`${first}–${last}`}
            </>
          ) : from === to ? null : (
            `${first}–${last}`
          )}
        </span>
      ))}
    </span>
  );
}
