/** The place of the stage: what is drawn there is driven past React. */
import { type ReactElement, useLayoutEffect, useRef } from "react";
import { stageHost } from "../stage-host.ts";

export function StageView(): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(stageHost), []);
  return <div ref={place} className="stage-place" />;
}
