/** The new job's operators, to be changed, and whether each finds its state; then what is in the snapshot only. */
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import type { Operator } from "../../protocol/execution-graph.ts";
import type { OperatorFate } from "../../scenario/restore-check.ts";
import { useRestoreText } from "../text/restore-text.ts";
import type { Moment } from "../use-view.ts";
import { type DryRun, type Order, chainOf } from "./order.ts";

interface OperatorsProps {
  readonly order: Order;
  readonly set: (order: Order) => void;
  readonly moment: Moment;
  readonly run: DryRun;
}

export function Operators({ order, set, moment, run }: OperatorsProps): ReactElement {
  const words = useRestoreText();
  const { operators } = moment.graph;
  const judged = run.command === null ? [] : run.preview.operators;
  const fateOf = (uid: string): OperatorFate | null => judged.find((each) => each.uid === uid)?.fate ?? null;
  const kept = new Set(operators.map(({ vertex: { uid } }) => order.change.uids[uid] ?? uid));
  return (
    <table className="table dry-run-table">
      <caption>{words.operators}</caption>
      <thead>
        <tr>
          <th scope="col">{words.operator}</th>
          <th scope="col">{words.parallelism}</th>
          <th scope="col">{words.state}</th>
        </tr>
      </thead>
      <tbody>
        {operators.map((operator) => (
          <tr key={operator.index}>
            <td>
              <Uid operator={operator} order={order} set={set} />
            </td>
            <td>
              <Width operator={operator} order={order} set={set} moment={moment} />
            </td>
            <td>
              <Fate fate={fateOf(order.change.uids[operator.vertex.uid] ?? operator.vertex.uid)} />
            </td>
          </tr>
        ))}
        {judged
          .filter(({ uid }) => !kept.has(uid))
          .map(({ uid, fate }) => (
            <tr key={uid}>
              <td className="mono">
                <s>{uid}</s>
              </td>
              <td className="muted">{words.inSnapshot}</td>
              <td>
                <Fate fate={fate} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly operator: Operator;
  readonly order: Order;
  readonly set: (order: Order) => void;
}

function Uid({ operator, order, set }: CellProps): ReactElement {
  const words = useRestoreText();
  const { uid, name } = operator.vertex;
  const { uids } = order.change;
  if (order.rescale !== null) return <span className="mono">{uid}</span>;
  return (
    <input
      className="text-input mono"
      aria-label={words.uidOf(name)}
      size={12}
      spellCheck={false}
      value={uids[uid] ?? uid}
      onChange={({ currentTarget: { value } }) =>
        set({ ...order, change: { ...order.change, uids: { ...uids, [uid]: value } } })
      }
    />
  );
}

/** A chain has one parallelism: its members change together. */
function Width({ operator, order, set, moment }: CellProps & { readonly moment: Moment }): ReactElement {
  const words = useRestoreText();
  const { uid, name, parallelism } = operator.vertex;
  const { parallelism: widths } = order.change;
  const chain = chainOf(moment.graph, uid);
  const now = widths[uid] ?? parallelism;
  if (order.rescale !== null && !chain.includes(order.rescale.uid)) return <>{now}</>;
  return (
    <span className="dry-run-width">
      <input
        className="text-input"
        type="number"
        min={1}
        max={at(moment.graph.vertices, operator.taskVertex).maxParallelism}
        aria-label={words.parallelismOf(name)}
        value={now === 0 ? "" : now}
        onChange={({ currentTarget: { value } }) => {
          const changed = Object.fromEntries(chain.map((member) => [member, Number(value)]));
          set({ ...order, change: { ...order.change, parallelism: { ...widths, ...changed } } });
        }}
      />
      {now === parallelism ? null : <span className="muted">{words.was(parallelism)}</span>}
    </span>
  );
}

const icons: { readonly [F in OperatorFate]: string } = {
  restored: "✓",
  new: "○",
  dropped: "▽",
  gone: "–",
  refused: "✖",
};

function Fate({ fate }: { readonly fate: OperatorFate | null }): ReactElement | null {
  const words = useRestoreText();
  if (fate === null) return null;
  return (
    <span className="dry-run-fate" data-fate={fate}>
      <span aria-hidden>{icons[fate]}</span> {words.fates[fate]}
    </span>
  );
}
