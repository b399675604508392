/**
 * Where playing stands, frame by frame: presentation time of the shown branch. Kept apart from the app's store, so that
 * sixty changes a second reach the stage and the scrubber and nothing else.
 */
import { createStore } from "zustand/vanilla";

export interface Playhead {
  readonly presentation: number;
}

export const playhead = createStore<Playhead>()(() => ({ presentation: 0 }));
