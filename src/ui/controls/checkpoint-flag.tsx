import type { ReactElement } from "react";

/** A checkpoint's number on its colour. */
export function CheckpointFlag({ id }: { readonly id: number }): ReactElement {
  return (
    <span className="epoch-flag" data-epoch={id & 3}>
      {id}
    </span>
  );
}
