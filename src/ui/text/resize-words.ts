/** What the edges that can be moved are called. */
export const resizeWords = {
  dock: "Height of the panels",
  rail: "Width of the narrator and the inspector",
} as const;
