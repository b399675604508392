/** The space-time picture of a branch: made when it is first asked for, and kept as long as the run is. */
import type { SpaceTime as Space } from "../../projection/space-time.ts";
import { SpaceTime } from "../../projection/space-time.ts";
import type { Run } from "../run.ts";
import { type Axis, positions } from "./geometry.ts";

interface Model {
  readonly space: Space;
  readonly places: Map<Axis, Float64Array>;
}

const known = new WeakMap<Run, Model>();

export function modelOf(run: Run, axis: Axis): { readonly space: Space; readonly places: Float64Array } {
  const model = known.get(run) ?? {
    space: new SpaceTime(run.log, (step) => run.jobs.at(step).graph),
    places: new Map<Axis, Float64Array>(),
  };
  known.set(run, model);
  const space = model.space.extend();
  const kept = model.places.get(axis);
  const places = kept?.length === space.length ? kept : positions(space, run.log, axis);
  model.places.set(axis, places);
  return { space, places };
}
