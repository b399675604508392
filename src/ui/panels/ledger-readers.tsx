import { type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import type { Fates } from "../../projection/fates.ts";
import type { LedgerView } from "../../projection/ledger.ts";
import { recordName } from "../../protocol/ids.ts";
import { useText } from "../text/use-text.ts";
import type { Moment } from "../use-view.ts";

interface LedgerReadersProps {
  readonly ledger: LedgerView;
  readonly moment: Moment;
}

interface ReaderRow {
  readonly id: string;
  readonly name: string;
  readonly seen: string;
  readonly fates: Fates;
}

/** Each reader of each sink, and each stateful operator, with the ids of what is wrong. */
export function LedgerReaders({ ledger, moment }: LedgerReadersProps): ReactElement {
  const words = useText().panels.ledger;
  const uid = (operator: number): string => at(moment.graph.operators, operator).vertex.uid;
  const rows: readonly ReaderRow[] = [
    ...ledger.sinks.map(({ operator, reader, seen, wanted, fates }) => ({
      id: reader,
      name: words.reader(uid(operator), reader),
      seen: `${seen} / ${wanted}`,
      fates,
    })),
    ...ledger.states.map(({ operator, fates }) => ({
      id: `state-${uid(operator)}`,
      name: words.stateOf(uid(operator)),
      seen: "",
      fates,
    })),
  ];
  return (
    <div className="ledger-readers">
      <table className="table">
        <caption className="visually-hidden">{words.perReader}</caption>
        <thead>
          <tr>
            <th scope="col">{words.perReader}</th>
            <th scope="col">{words.seenOf}</th>
            <th scope="col">{words.lost}</th>
            <th scope="col">{words.duplicated}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, seen, fates }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{seen}</td>
              <td data-testid={`lost-${id}`}>
                <Ids records={fates.list("lost")} moment={moment} />
              </td>
              <td data-testid={`duplicated-${id}`}>
                <Ids records={fates.list("duplicated")} moment={moment} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SHOWN = 8;

function Ids({ records, moment }: { readonly records: readonly number[]; readonly moment: Moment }): ReactElement {
  const words = useText().panels.ledger;
  const [all, setAll] = useState(false);
  if (records.length === 0) return <span className="muted">{words.none}</span>;
  const shown = all ? records : records.slice(0, SHOWN);
  return (
    <span className="ids">
      {shown.map((record) => (
        <span key={record} data-record={record}>
          {recordName(moment.graph, record)}
        </span>
      ))}
      {records.length > SHOWN ? (
        <button type="button" className="link-button" onClick={() => setAll(!all)}>
          {all ? words.fewer : words.more(records.length - SHOWN)}
        </button>
      ) : null}
    </span>
  );
}
