/** Acts one behind the other, in the order in which they were asked for: none overtakes one that still waits for something. */
export type Act = () => void | Promise<void>;

/** Milliseconds after which what waits for something that does not come holds up nobody any more. */
const PATIENCE = 2000;

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE));
}

export class InTurn {
  private readonly held: () => boolean;
  private readonly queue: Act[] = [];
  private acting = false;

  /** `held`: nothing acts as long as it says so; whoever ends that calls `goOn`. */
  constructor(held: () => boolean = () => false) {
    this.held = held;
  }

  /** At once, where nothing is waited for. */
  do(act: Act): void {
    this.queue.push(act);
    this.goOn();
  }

  goOn(): void {
    while (this.queue.length > 0 && !this.acting && !this.held()) {
      const coming = this.queue.shift()?.();
      if (coming === undefined) continue;
      this.acting = true;
      void Promise.race([coming, patience()]).finally(() => {
        this.acting = false;
        this.goOn();
      });
    }
  }
}
