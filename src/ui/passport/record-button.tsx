/** The name of a record, or its offset, that opens its passport. */
import type { ReactElement } from "react";
import { useApp } from "../use-app.ts";
import { graphOf } from "../store.ts";
import { recordName } from "../../protocol/ids.ts";
import { openPassport } from "./asked.ts";

export function RecordButton({ record, shown }: { readonly record: number; readonly shown?: string }): ReactElement {
  const graph = useApp(graphOf);
  const name = graph === null ? String(record) : recordName(graph, record);
  return (
    <button
      type="button"
      className="link-button mono record-button"
      aria-label={name}
      onClick={() => openPassport(record)}
    >
      {shown ?? name}
    </button>
  );
}
