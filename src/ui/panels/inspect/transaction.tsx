import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { transactionName } from "../../../protocol/ids.ts";
import { isSink, transactionTimeoutOf } from "../../../protocol/sinks.ts";
import type { TransactionView } from "../../../projection/views.ts";
import { transactionLooks } from "../../../view/machines/presentations.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { clockTime } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { WindowsButton } from "../../windows/windows-button.tsx";

interface TransactionProps {
  readonly number: number;
  readonly moment: Moment;
}

export function TransactionFields({ number, moment }: TransactionProps): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const { graph, view } = moment;
  const transaction = view.transactions.findLast((candidate) => candidate.number === number);
  if (transaction === undefined) return <p className="muted">{inspector.notYet}</p>;
  const { listedAgain: more, refused } = transaction;
  const note = more > 0 ? inspector.listedAgain(more + 1) : refused;
  return (
    <Fields>
      <Field name={fields.state}>
        <StateChip look={transactionLooks[transaction.state]} />
        {note === null ? null : <p className="failure-note">{note}</p>}
        <p>
          <WindowsButton step={transaction.step} />
        </p>
      </Field>
      <Field name={fields.from}>
        {transaction.subtask < 0 ? (
          text.common.none
        ) : (
          <ElementLink
            element={{ kind: "subtask", id: transaction.subtask }}
            name={at(graph.subtasks, transaction.subtask).name}
          />
        )}
      </Field>
      <Field name={fields.checkpoint}>
        <CheckpointFlag id={transaction.checkpoint} />
      </Field>
      <Field name={fields.records}>{transaction.records}</Field>
      <Field name={fields.producerEpoch}>{transaction.epoch}</Field>
      <Course transaction={transaction} moment={moment} />
      <Field name={fields.decidedBy}>{transaction.decidedBy ?? text.common.none}</Field>
      <Field name={fields.outputs}>
        {transaction.partitions.length === 0
          ? text.common.none
          : transaction.partitions.map((id) => (
              <ElementLink key={id} element={{ kind: "output", id }} name={at(graph.outputs, id).name} />
            ))}
      </Field>
    </Fields>
  );
}

/** When each thing happened to it, and what may still do. */
function Course({
  transaction,
  moment,
}: {
  readonly transaction: TransactionView;
  readonly moment: Moment;
}): ReactElement {
  const words = useInspectorText();
  return (
    <>
      <Field name={words.fields.timeout}>{timeoutWords(transaction, moment, words)}</Field>
      <Field name={words.fields.history}>
        <ul className="list">
          {(["begunAt", "firstWriteAt", "preCommittedAt", "commitRequestedAt", "decidedAt"] as const).map((event) =>
            transaction[event] < 0 ? null : (
              <li key={event}>
                {clockTime(transaction[event])} <span className="muted">{words.events[event]}</span>
              </li>
            ),
          )}
        </ul>
      </Field>
      <Field name={words.fields.commits}>{transaction.commitRequests}</Field>
      <Field name={words.fields.mayEnd}>
        {
          words.mayEnd[
            transaction.state === "OPEN" || transaction.state === "PRE_COMMITTED" ? transaction.state : "other"
          ]
        }
      </Field>
    </>
  );
}

/** KF-013: the clock runs from the first record; of one that is decided it does not matter any more. */
function timeoutWords(
  { state, operator, firstWriteAt }: TransactionView,
  { graph, view }: Moment,
  words: ReturnType<typeof useInspectorText>,
): string {
  const { vertex } = at(graph.operators, operator);
  const timeout = isSink(vertex) ? transactionTimeoutOf(vertex) : 0;
  if (timeout === 0) return words.never;
  const runs = firstWriteAt >= 0 && (state === "OPEN" || state === "PRE_COMMITTED");
  return runs ? words.timeoutIn(Math.max(0, firstWriteAt + timeout - view.clock), timeout) : words.timeoutOf(timeout);
}

interface TransactionListProps {
  readonly name: string;
  readonly moment: Moment;
  readonly of: (transaction: TransactionView) => boolean;
}

/** The newest transactions of something. */
export function TransactionList({ name, moment, of }: TransactionListProps): ReactElement | null {
  const list = moment.view.transactions
    .filter((transaction) => of(transaction) && transaction.state !== "NONE")
    .slice(-4)
    .reverse();
  if (list.length === 0) return null;
  return (
    <Field name={name}>
      <ul className="list">
        {list.map((transaction) => (
          <li key={transaction.step}>
            <ElementLink
              element={{ kind: "transaction", id: transaction.number }}
              name={transactionName(moment.graph, transaction.number)}
            />{" "}
            <StateChip look={transactionLooks[transaction.state]} />{" "}
            <span className="muted">{transaction.records}</span>
          </li>
        ))}
      </ul>
    </Field>
  );
}
