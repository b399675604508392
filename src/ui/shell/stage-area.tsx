/** The stage and what floats above it. */
import type { ReactElement } from "react";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { FailAction } from "./fail-action.tsx";
import { Hint } from "./hint.tsx";
import { StageView } from "./stage-view.tsx";

export function StageArea(): ReactElement {
  const { stage } = useText();
  const ready = useApp((app) => app.session !== null);
  return (
    <section id="stage" className="stage-area" tabIndex={-1} aria-label={stage.region}>
      <StageView />
      {ready ? null : <p className="stage-loading">{stage.loading}</p>}
      <FailAction />
      <Hint />
    </section>
  );
}
