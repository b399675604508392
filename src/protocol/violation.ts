/** What an invariant of the specification found wrong in a run (`INV-…`): always a defect of ours, never a failure that a scenario asks for. */
export interface Violation {
  readonly invariant: string;
  readonly step: number;
  /** What the invariant says, and what is the case instead. */
  readonly message: string;
  /** Names of the subtasks, channels, checkpoints or transactions concerned. */
  readonly entities: readonly string[];
}
