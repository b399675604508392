/** What is wrong with something a person gave us: where it stands, what stands there, and what may stand there. */
export interface Problem {
  /** JSON path of the field, such as `job.vertices[1].parallelism`; empty for the whole document. */
  readonly path: string;
  /** The bad value as a person would write it. */
  readonly value: string;
  /** What is wrong and what is allowed, in one or two sentences. */
  readonly message: string;
}

/** Bad input is a returned value, never an exception. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };
