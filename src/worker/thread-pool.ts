/**
 * Many runs over a pool of threads, in the browser and in Node alike: each takes the next piece of work when it is done with
 * one. A thread that dies ends all of it, since what it was at may be what killed it.
 */
import type { FromThread, ToThread } from "./sweep-thread.ts";

export interface Thread {
  post(message: ToThread): void;
  /** `died` is called with words for a person when the thread has thrown or cannot be started. */
  listen(received: (reply: FromThread) => void, died: (message: string) => void): void;
  end(): void;
}

export interface PoolOptions {
  readonly threads: number;
  readonly spawn: () => Thread;
  /** Wall time in milliseconds. */
  readonly now: () => number;
}

/** What is to be done. */
export interface Labour<Work> {
  /** What each thread is told first, and answers, before it is given work; `null`: nothing. */
  readonly greeting: ToThread | null;
  /** The next piece; `null`: nothing can be begun before something has come back, or all is done. */
  next(): Work | null;
  message(work: Work): ToThread;
  /** A thread's answer to a piece of work, or (`null`) to the greeting. */
  receive(work: Work | null, reply: Exclude<FromThread, { readonly type: "failed" }>): void;
  /** Something came back, or nothing is left to do: whoever asked is told. */
  advanced(finished: boolean, seconds: number): void;
  readonly finished: boolean;
  failed(message: string): void;
}

export class ThreadPool<Work> {
  private readonly labour: Labour<Work>;
  private readonly now: () => number;
  /** Each thread and what it is at: reading the greeting, a piece, or nothing. */
  private readonly threads = new Map<Thread, { readonly work: Work } | "greeting" | null>();
  /** When it began; moved on by the time that it was paused. */
  private began: number;
  private pausedAt: number | null = null;

  constructor(labour: Labour<Work>, { threads, spawn, now }: PoolOptions) {
    this.labour = labour;
    this.now = now;
    this.began = now();
    for (let i = 0; i < threads; i++) {
      const thread = spawn();
      this.threads.set(thread, labour.greeting === null ? null : "greeting");
      thread.listen(
        (reply) => this.receive(thread, reply),
        (message) => this.fail(message),
      );
      if (labour.greeting !== null) thread.post(labour.greeting);
    }
    if (labour.greeting === null) this.handOut();
  }

  pause(): void {
    this.pausedAt ??= this.now();
  }

  resume(): void {
    if (this.pausedAt === null) return;
    this.began += this.now() - this.pausedAt;
    this.pausedAt = null;
    this.handOut();
    this.report();
  }

  end(): void {
    for (const thread of this.threads.keys()) thread.end();
    this.threads.clear();
  }

  private receive(thread: Thread, reply: FromThread): void {
    if (!this.threads.has(thread)) return;
    if (reply.type === "failed") return this.fail(reply.message);
    const at = this.threads.get(thread) ?? null;
    this.labour.receive(at === null || at === "greeting" ? null : at.work, reply);
    this.threads.set(thread, null);
    this.handOut();
    this.report();
  }

  private handOut(): void {
    for (const [thread, at] of this.threads) {
      const work = at === null && this.pausedAt === null ? this.labour.next() : null;
      if (work === null) continue;
      this.threads.set(thread, { work });
      thread.post(this.labour.message(work));
    }
  }

  private report(): void {
    const { finished } = this.labour;
    this.labour.advanced(finished, ((this.pausedAt ?? this.now()) - this.began) / 1000);
    if (finished) this.end();
  }

  private fail(message: string): void {
    this.labour.failed(message);
    this.end();
  }
}

/** What a page holds of a pool: it listens, lets it rest and go on, and gives it up. */
export abstract class PoolPort<Work, Reply> {
  protected abstract readonly pool: ThreadPool<Work>;
  private readonly listeners = new Set<(reply: Reply) => void>();

  subscribe(listen: (reply: Reply) => void): () => void {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  pause(): void {
    this.pool.pause();
  }

  resume(): void {
    this.pool.resume();
  }

  cancel(): void {
    this.listeners.clear();
    this.pool.end();
  }

  protected tell(reply: Reply): void {
    for (const listen of this.listeners) listen(reply);
  }
}
