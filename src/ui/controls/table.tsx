/** A table with a name for those who do not see it, and a head of column names. */
import type { ReactElement, ReactNode } from "react";

interface TableProps {
  readonly caption: string;
  /** In their order. */
  readonly columns: { readonly [column: string]: string };
  readonly className?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

export function Table({ caption, columns, className, children }: TableProps): ReactElement {
  return (
    <table className={className === undefined ? "table" : `table ${className}`}>
      <caption className="visually-hidden">{caption}</caption>
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
