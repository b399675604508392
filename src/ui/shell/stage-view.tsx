/** Holds the stage: React mounts it once, and from then on it is driven past React. */
import { type ReactElement, useEffect, useRef } from "react";
import { mountStage } from "../stage-driver.ts";

export function StageView(): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current === null ? undefined : mountStage(host.current)), []);
  return <div ref={host} className="stage-host" />;
}
