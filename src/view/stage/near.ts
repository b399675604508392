/** What is near enough that its channels are shown one by one. */
import type { StageLayout } from "./layout-types.ts";
import type { Box } from "./path.ts";

/** From this step on what is in sight is seen from near: so few subtasks at most. */
export const NEAR_FROM = 4;
const NEAR_MAX = 24;

/** Subtasks in a part of the stage; none where they are too many to be told apart. */
export function subtasksIn({ subtasks }: StageLayout, { x, y, width, height }: Box): readonly number[] {
  const seen = subtasks.flatMap(({ box, density }, id) =>
    density !== "full" && box.x < x + width && box.x + box.width > x && box.y < y + height && box.y + box.height > y
      ? [id]
      : [],
  );
  return seen.length > NEAR_MAX ? [] : seen;
}
