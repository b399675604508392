import type { ReactElement } from "react";
import type { StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";

/** A name that selects what it names. */
export function ElementLink({
  element,
  name,
}: {
  readonly element: StageElement;
  readonly name: string;
}): ReactElement {
  return (
    <button type="button" className="link-button" onClick={() => select(element)}>
      {name}
    </button>
  );
}
