/**
 * A table of any length: only the rows in sight are there. Rows that are placed one by one cannot be `<tr>`, so the roles
 * say what it is; everything else uses the elements.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- see above: rows that are placed cannot be those of a table element */
import { type KeyboardEvent, type ReactElement, type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { VList, type VListHandle } from "virtua";

export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ReactNode;
  readonly className?: string;
}

export interface VirtualTableHandle {
  /** No further than it has to. Not where the rows are others: one in sight does not stop the scrolling to another. */
  reveal(index: number): void;
  /** In any case, and in place of where it was being scrolled to. */
  centre(index: number): void;
}

/** To the next row or the one before, to the first or the last, and to what the row at the cursor comes from or led to. */
export type Along = "next" | "before" | "first" | "last" | "cause" | "effect";

const keyed: { readonly [key: string]: Along } = {
  ArrowDown: "next",
  ArrowUp: "before",
  Home: "first",
  End: "last",
  ArrowLeft: "cause",
  ArrowRight: "effect",
};

interface VirtualTableProps<T> {
  readonly label: string;
  readonly className: string;
  readonly columns: readonly Column<T>[];
  /** A row keeps nothing of its own: another one in its place is drawn over it. */
  readonly rows: ArrayLike<T>;
  /** The row that the cursor is at. */
  readonly isCurrent?: (row: T) => boolean;
  readonly isFuture?: (row: T) => boolean;
  /** What is selected has to do with it. */
  readonly isMarked?: (row: T) => boolean;
  /** It is a cause or an effect of what is explained (`store.lit`). */
  readonly isLit?: (row: T) => boolean;
  /** The arrow keys, Home and End, while the rows have the focus. */
  readonly onMove?: (direction: Along) => void;
  readonly ref?: Ref<VirtualTableHandle>;
}

export function VirtualTable<T>(props: VirtualTableProps<T>): ReactElement {
  const { label, className, columns, rows, onMove, ref } = props;
  const list = useRef<VListHandle>(null);
  const keys = (event: KeyboardEvent): void => {
    const along = keyed[event.key];
    if (onMove === undefined || along === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    // The same keys step through the run where nothing else has the focus.
    event.stopPropagation();
    onMove(along);
  };
  useImperativeHandle(ref, () => {
    const scroll = (index: number, align: "nearest" | "center"): void => list.current?.scrollToIndex(index, { align });
    return { reveal: (index) => scroll(index, "nearest"), centre: (index) => scroll(index, "center") };
  }, []);
  return (
    <div className={`virtual-table ${className}`} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div className="virtual-row head" role="row" aria-rowindex={1}>
          {columns.map(({ name }) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <VList
        ref={list}
        className="virtual-rows"
        role="rowgroup"
        tabIndex={0}
        aria-label={label}
        data={rows}
        onKeyDown={keys}
      >
        {(row, index) => <VirtualRow key={index} table={props} row={row} index={index} />}
      </VList>
    </div>
  );
}

interface VirtualRowProps<T> {
  readonly table: VirtualTableProps<T>;
  readonly row: T;
  readonly index: number;
}

function VirtualRow<T>({ table, row, index }: VirtualRowProps<T>): ReactElement {
  const { columns, isCurrent, isFuture, isMarked, isLit } = table;
  return (
    <div
      className="virtual-row"
      role="row"
      aria-rowindex={index + 2}
      aria-current={isCurrent?.(row) === true ? "step" : undefined}
      data-future={isFuture?.(row) === true || undefined}
      data-marked={isMarked?.(row) === true || undefined}
      data-lit={isLit?.(row) === true || undefined}
    >
      {columns.map(({ name, cell, className }) => (
        <span key={name} role="cell" className={className}>
          {cell(row)}
        </span>
      ))}
    </div>
  );
}
