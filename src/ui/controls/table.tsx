/** A table with a name and a head of column names. */
import type { ReactElement, ReactNode } from "react";

interface TableProps {
  readonly caption: string;
  /** In their order. */
  readonly columns: { readonly [column: string]: string };
  readonly className?: string;
  /** The caption is seen. */
  readonly titled?: boolean;
  /** Its rows. */
  readonly children: ReactNode;
}

export function Table({ caption, columns, className, titled = false, children }: TableProps): ReactElement {
  return (
    <table className={className === undefined ? "table" : `table ${className}`}>
      <caption className={titled ? undefined : "visually-hidden"}>{caption}</caption>
      <thead>
        <tr>
          {Object.entries(columns).map(([column, name]) => (
            <th key={column} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
