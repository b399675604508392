/** Where playing and running stop, what is looped, and running to the next of something. */
import "../styles/stops.css";
import { type ReactElement, useEffect } from "react";
import { useController } from "../controller-context.ts";
import { install } from "../stops/stop-keys.ts";
import { BreakpointForm } from "../stops/breakpoint-form.tsx";
import { BreakpointList } from "../stops/breakpoint-list.tsx";
import { LoopControls } from "../stops/loop-controls.tsx";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useStopsText } from "../text/stops-text.ts";

export default function Stops(): ReactElement | null {
  const words = useStopsText();
  const controller = useController();
  const branch = useApp(branchOf);
  useEffect(() => install(controller), [controller]);
  if (branch === null) return null;
  return (
    <div className="stops">
      <div className="stops-make">
        <p className="muted stops-hint">{words.hint}</p>
        <BreakpointForm branch={branch} />
        <LoopControls branch={branch} />
      </div>
      <BreakpointList branch={branch} />
    </div>
  );
}
