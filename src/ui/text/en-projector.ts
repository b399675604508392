/** Projector mode. Fetched with it. */
export const enProjector = {
  keys: "L held: laser",
  leave: "Leave projector mode",
} as const;
