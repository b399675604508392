/**
 * Several stages share a frame: they take turns within a budget, and who has to wait comes first in the next. So a frame
 * takes about as long with three stages as with one, and no stage starves.
 */

/** Milliseconds of a frame within which another stage may begin. */
const BUDGET = 4;

export class Turns {
  private readonly waiting = new Set<() => void>();
  private request = 0;

  /** Calls `draw` in its turn, unless the returned function is called first. */
  readonly ask = (draw: () => void): (() => void) => {
    this.waiting.add(draw);
    this.request ||= requestAnimationFrame(() => this.frame());
    return () => this.waiting.delete(draw);
  };

  private frame(): void {
    this.request = 0;
    const began = performance.now();
    // Who asks again meanwhile belongs to the next frame.
    const all = [...this.waiting];
    for (const draw of all) {
      if (!this.waiting.delete(draw)) continue;
      draw();
      if (performance.now() - began >= BUDGET) break;
    }
    if (this.waiting.size > 0) this.request ||= requestAnimationFrame(() => this.frame());
  }
}
