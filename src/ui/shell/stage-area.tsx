/** The stage and what floats above it. */
import type { ReactElement } from "react";
import { later } from "../later.tsx";
import { Computing } from "../computing/computing.tsx";
import { useWorking } from "../computing/use-working.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { FailAction } from "./fail-action.tsx";
import { Hint } from "./hint.tsx";
import { StageView } from "./stage-view.tsx";

const FirstMinute = later(() => import("../tour/tour.tsx"));

export function StageArea(): ReactElement {
  const { stage } = useText();
  const ready = useApp((app) => app.session !== null);
  const working = useWorking();
  const tour = useApp((app) => app.tour);
  return (
    <section id="stage" className="stage-area" tabIndex={-1} aria-label={stage.region}>
      <StageView />
      {ready ? null : <p className="stage-loading">{stage.loading}</p>}
      <FailAction />
      {tour ? null : <Hint />}
      {working ? <Computing /> : null}
      {tour && ready ? <FirstMinute /> : null}
    </section>
  );
}
