import type { PoolOptions } from "../worker/thread-pool.ts";

/** What a command needs of the machine, so that tests can stand in for it. */
export interface Io {
  /** Is standard output a terminal? There a person reads tables; elsewhere a program reads JSON. */
  readonly terminal: boolean;
  /** The file's text; `null`: there is no such file. What else goes wrong is thrown, with words for a person. */
  readonly read: (path: string) => string | null;
  /** Writes a file piece by piece. What goes wrong is thrown, with words for a person. */
  readonly write: (path: string, pieces: Iterable<string>) => void;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Threads for many runs. */
  readonly pool: PoolOptions;
}

/** The contract's exit statuses. */
export const Exit = { ran: 0, worseThanExpected: 1, badInput: 2, ourDefect: 3 } as const;
export type ExitStatus = (typeof Exit)[keyof typeof Exit];
