/** The space-time picture of a branch: made when it is first asked for, and kept as long as the run is. */
import type { SpaceTime as Space } from "../../projection/space-time.ts";
import { SpaceTime } from "../../projection/space-time.ts";
import { type Cut, checkpointCut } from "../../projection/global-cuts.ts";
import { factsOf } from "../facts.ts";
import type { Run } from "../run.ts";
import { type Axis, type Places, placesOf } from "./places.ts";

/** The cut that a checkpoint makes. */
export interface Barrier {
  readonly id: number;
  readonly cut: Cut;
}

interface Model {
  readonly space: Space;
  readonly places: Map<Axis, Places>;
  barriers: { readonly length: number; readonly cuts: readonly Barrier[] };
}

const known = new WeakMap<Run, Model>();

interface Modelled {
  readonly space: Space;
  readonly places: Places;
  readonly barriers: readonly Barrier[];
}

export function modelOf(run: Run, axis: Axis): Modelled {
  const model = known.get(run) ?? {
    space: new SpaceTime(run.log, (step) => run.jobs.at(step).graph, factsOf(run).effects),
    places: new Map<Axis, Places>(),
    barriers: { length: 0, cuts: [] },
  };
  known.set(run, model);
  const space = model.space.extend();
  const kept = model.places.get(axis);
  const places = kept?.length === space.length ? kept : placesOf(space, run.log, axis);
  model.places.set(axis, places);
  if (model.barriers.length !== space.length) model.barriers = { length: space.length, cuts: barriersOf(space, run) };
  return { space, places, barriers: model.barriers.cuts };
}

function barriersOf(space: Space, run: Run): readonly Barrier[] {
  return factsOf(run).timeline.checkpoints.flatMap(({ id }) => {
    const cut = checkpointCut(space, run.log, id);
    return cut === null ? [] : [{ id, cut }];
  });
}
