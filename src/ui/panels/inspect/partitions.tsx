import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { arrivedOf } from "../../../projection/input-log.ts";
import { isVisibleTo } from "../../../projection/sight.ts";
import type { CellView } from "../../../projection/output-view.ts";
import { transactionName } from "../../../protocol/ids.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { RecordButton } from "../../passport/record-button.tsx";
import { canRewind } from "../../../protocol/job-graph.ts";
import { type Reader, readersOf } from "../../../protocol/sinks.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import { type Moment, useLedger } from "../../use-view.ts";

interface PartitionProps {
  readonly id: number;
  readonly moment: Moment;
}

export function InputFields({ id, moment }: PartitionProps): ReactElement {
  const text = useText();
  const { fields } = text.panels.inspector;
  const words = useInspectorText();
  const { graph, view, scenario } = moment;
  const { topic, partition } = at(graph.inputs, id);
  const records = scenario.topics.find(({ name }) => name === topic)?.partitions[partition] ?? [];
  const offset = (value: number): string => (value < 0 ? text.common.none : String(value));
  return (
    <>
      <Fields>
        <Field name={fields.end}>{records.length}</Field>
        <Field name={fields.arrived}>{arrivedOf(view, id, view.clock)}</Field>
        <Field name={words.fields.rewinds}>{canBeReadAgain(moment, id) ? words.rewinds.yes : words.rewinds.no}</Field>
        {at(view.inputLog.starts, id) > 0 ? <Field name={fields.logStart}>{at(view.inputLog.starts, id)}</Field> : null}
      </Fields>
      {view.inputs
        .filter((input) => input.partition === id)
        .map((input) => (
          <Fields key={input.operator}>
            <Field name={fields.to}>
              <ElementLink
                element={{ kind: "subtask", id: input.subtask }}
                name={at(graph.subtasks, input.subtask).name}
              />
            </Field>
            <Field name={fields.position}>{offset(input.position)}</Field>
            <Field name={fields.furthest}>{offset(input.furthest)}</Field>
            <Field name={fields.restoreTo}>{offset(input.checkpointed)}</Field>
            <Field name={fields.groupOffset}>{offset(input.groupOffset)}</Field>
            <Field name={words.fields.around}>
              <ol className="list">
                {around(moment, id, input.position).map((each) => (
                  <li key={each} className={each < input.position ? "cell read" : "cell"}>
                    <span className="cell-offset">
                      <RecordButton record={each * graph.inputs.length + id} shown={String(each)} />
                    </span>
                    <span className="mono">{graph.keys[at(view.shared.keys, id)[each] ?? -1] ?? ""}</span>
                    {each === input.position ? <span className="tag">{fields.position}</span> : null}
                    {each === input.checkpointed ? <span className="tag">{fields.restoreTo}</span> : null}
                    {each === input.groupOffset ? <span className="tag">{fields.groupOffset}</span> : null}
                  </li>
                ))}
              </ol>
            </Field>
          </Fields>
        ))}
    </>
  );
}

function canBeReadAgain({ graph, view }: Moment, partition: number): boolean {
  return view.inputs
    .filter((input) => input.partition === partition)
    .every(({ operator }) => canRewind(at(graph.operators, operator).vertex));
}

/** Offsets that are shown before and behind the position. */
const BEFORE = 6;
const BEHIND = 3;

function around({ view }: Moment, partition: number, position: number): number[] {
  const first = Math.max(at(view.inputLog.starts, partition), position - BEFORE);
  const length = Math.min(at(view.shared.records, partition).length, position + BEHIND) - first;
  return Array.from({ length: Math.max(0, length) }, (_, index) => first + index);
}

export function OutputFields({ id, moment }: PartitionProps): ReactElement {
  const text = useText();
  const { fields, fromOffset } = text.panels.inspector;
  const output = at(moment.view.outputs, id);
  return (
    <Fields>
      <Field name={fields.highWatermark}>{output.length}</Field>
      {at(moment.graph.outputs, id).store === "log" ? (
        <Field name={fields.lastStable}>{output.lastStableOffset}</Field>
      ) : null}
      <Field name={fields.holding}>
        {output.ongoing.length === 0 ? (
          text.common.none
        ) : (
          <ul className="list">
            {output.ongoing.map(({ transaction, first }) => (
              <li key={first}>
                <TransactionLink place={transaction} moment={moment} /> {fromOffset(first)}
              </li>
            ))}
          </ul>
        )}
      </Field>
      <Readers id={id} moment={moment} />
      <Field name={fields.newest}>
        <ol className="list">
          {newestCells(moment, id).map(({ offset, cell }) => (
            <Cell key={offset} offset={offset} cell={cell} moment={moment} />
          ))}
        </ol>
      </Field>
    </Fields>
  );
}

/** Each reader: how much it sees of this partition, and of its sink what it should see, what is lost, what is there twice. */
function Readers({ id, moment }: PartitionProps): ReactElement {
  const words = useInspectorText();
  const ledger = useLedger();
  const { graph } = moment;
  const { topic, store } = at(graph.outputs, id);
  const sinks = graph.sinks.filter((sink) => {
    const { vertex } = at(graph.operators, sink);
    return vertex.type === "kafka-sink" ? vertex.topic === topic : vertex.uid === topic;
  });
  return (
    <>
      {readersOf[store].map((reader) => (
        <Field key={reader} name={words.readers[reader]}>
          {store === "table" ? null : seenBy(moment, id, reader)}
          <ul className="list">
            {(ledger?.sinks ?? [])
              .filter((account) => account.reader === reader && sinks.includes(account.operator))
              .map(({ operator, seen, wanted, fates, regressions }) => (
                <li key={operator}>
                  <span className="muted">
                    {at(graph.operators, operator).vertex.uid}: {words.seen(seen, wanted)}
                    {regressions > 0 ? `, ${words.regressions(regressions)}` : ""}
                  </span>
                  <Diff says={words.lost} records={fates.list("lost")} />
                  <Diff says={words.duplicated} records={fates.list("duplicated")} />
                  <Diff says={words.pending} records={fates.list("pending")} />
                </li>
              ))}
          </ul>
        </Field>
      ))}
    </>
  );
}

/** Records by which what a reader has received is not what it should have, each with its passport. */
function Diff({
  says,
  records,
}: {
  readonly says: (count: number) => string;
  readonly records: readonly number[];
}): ReactElement | null {
  const words = useInspectorText();
  if (records.length === 0) return null;
  const rest = records.length - DIFFERENCES;
  return (
    <p className="diff">
      {says(records.length)}:{" "}
      {records.slice(0, DIFFERENCES).map((record) => (
        <span key={record}>
          <RecordButton record={record} />{" "}
        </span>
      ))}
      {rest > 0 ? <span className="muted">{words.contents.more(rest)}</span> : null}
    </p>
  );
}

/** So many are named. */
const DIFFERENCES = 8;

function TransactionLink({ place, moment }: { readonly place: number; readonly moment: Moment }): ReactElement {
  const { number } = at(moment.view.transactions, place);
  return <ElementLink element={{ kind: "transaction", id: number }} name={transactionName(moment.graph, number)} />;
}

function seenBy({ view }: Moment, id: number, reader: Reader): number {
  const { length } = at(view.outputs, id);
  let seen = 0;
  for (let offset = 0; offset < length; offset++) if (isVisibleTo(view, reader, id, offset)) seen++;
  return seen;
}

/** Cells that are listed. */
const NEWEST = 12;

function newestCells({ view }: Moment, id: number): { readonly offset: number; readonly cell: CellView }[] {
  const { length } = at(view.outputs, id);
  return Array.from({ length: Math.min(NEWEST, length) }, (_, back) => {
    const offset = length - 1 - back;
    return { offset, cell: at(view.shared.cells, id).get(offset) };
  });
}

interface CellProps {
  readonly offset: number;
  readonly cell: CellView;
  readonly moment: Moment;
}

/** What is at an offset, and whether committed readers see it. */
function Cell({ offset, cell, moment }: CellProps): ReactElement {
  const { inspector } = useText().panels;
  const { view } = moment;
  const state = cell.transaction < 0 ? null : at(view.transactions, cell.transaction).state;
  const aborted = state === "ABORTED" || state === "TIMED_OUT";
  return (
    <li className={aborted ? "cell aborted" : "cell"}>
      <span className="cell-offset">{offset}</span>
      {cell.kind === "record" ? (
        <span>
          <RecordButton record={cell.record} /> = {cell.value}
          {cell.pass > 1 ? <span className="tag">{inspector.again}</span> : null}
        </span>
      ) : (
        <span>
          {inspector.markers[cell.kind]}{" "}
          {cell.transaction < 0 ? null : <TransactionLink place={cell.transaction} moment={moment} />}
        </span>
      )}
      {cell.kind === "record" && state !== null && state !== "COMMITTED" ? (
        <span className="muted">{inspector.cellStates[aborted ? "aborted" : "open"]}</span>
      ) : null}
    </li>
  );
}
