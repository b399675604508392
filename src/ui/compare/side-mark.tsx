/** `A` or `B`, as a sign: the letter says which, its place and its frame only help. */
import type { ReactElement } from "react";
import type { Side } from "../../projection/run-diff.ts";

export function SideMark({ side }: { readonly side: Side }): ReactElement {
  return <abbr className={`compare-side ${side}`}>{side.toUpperCase()}</abbr>;
}
