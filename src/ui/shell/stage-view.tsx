/** The place of the stage: what is drawn there is driven past React. */
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import type { CellAsked } from "../../view/stage/cells.ts";
import { fetched } from "../fetched.ts";
import { stageHost } from "../stage-host.ts";

export function StageView(): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(stageHost), []);
  useEffect(() => {
    const hear = ({ detail }: CustomEvent<CellAsked>): void =>
      void fetched(import("../passport/cell.ts")).then((cell) => cell?.cellChosen(detail));
    stageHost.addEventListener("stage-cell", hear);
    return () => stageHost.removeEventListener("stage-cell", hear);
  }, []);
  return <div ref={place} className="stage-place" />;
}
