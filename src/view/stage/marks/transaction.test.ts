import { expect, test } from "vitest";
import { capsuleBox, leavesFree } from "./transaction.ts";

const card = (width: number) => ({ x: 10, y: 20, width, height: 80 });

test("what stands at the right end of a card's last row is free as long as no capsule is there, and never again after one was", () => {
  let full = 0;
  for (let width = 120; width <= 260; width++) {
    const box = card(width);
    let free = true;
    for (let count = 0; count <= 10; count++) {
      const last = count === 0 ? null : capsuleBox({ box, density: "full" }, count - 1);
      if (last === null && count > 0) full++;
      if (last !== null && last.y > 60 && last.x + last.width > 10 + width - 44) free = false;
      expect(leavesFree(box, count, 44), `${count} on ${width}`).toBe(free);
    }
  }
  // Cards are among them that have no room for the last.
  expect(full).toBeGreaterThan(0);
});
