/** What is drawn of the world outside the job: partitions that it reads, and what readers see of its sinks. */
import type { Reader, StoreKind } from "../../protocol/sinks.ts";
import type { TransactionState } from "../machines/actors.ts";
import type { Look } from "../machines/presentations.ts";
import type { KeyNumber } from "./frame-types.ts";

export interface InputCell {
  readonly offset: number;
  readonly key: KeyNumber;
  readonly name: string;
  /** The log has it already. */
  readonly there: boolean;
  readonly read: boolean;
  /** Retention has taken it. */
  readonly gone: boolean;
}

export interface InputFrame {
  readonly id: number;
  readonly name: string;
  readonly length: number;
  readonly position: number;
  /** Where a recovery would go on reading; `null`: from the begin of the run's own choice. */
  readonly restorePosition: number | null;
  /** The consumer group's offset, for monitoring. */
  readonly groupOffset: number | null;
  /** The first offset that retention has left. */
  readonly start: number;
  /** Where barriers cut the partition. */
  readonly flags: readonly { readonly checkpoint: number; readonly position: number }[];
  readonly cells: readonly InputCell[];
  readonly reader: number;
}

export type OutputFate = "open" | "committed" | "aborted";

export interface OutputCell {
  readonly offset: number;
  /** `cut`: a part file was cut back to `value` records; `other`: another producer's record. */
  readonly kind: "record" | "commit" | "abort" | "cut" | "other";
  readonly key: KeyNumber;
  readonly name: string;
  readonly value: number;
  readonly fate: OutputFate;
  /** Its input record has been written before. */
  readonly again: boolean;
  readonly transaction: number | null;
  readonly checkpoint: number | null;
}

export interface OutputFrame {
  readonly id: number;
  readonly name: string;
  readonly length: number;
  /** Readers of committed records may read up to here. */
  readonly lastStable: number;
  readonly cells: readonly OutputCell[];
  /** Width of a cell: as many digits as the values have. */
  readonly cellWidth: number;
  readonly store: StoreKind;
  /** The reader of committed data first. */
  readonly readers: readonly ReaderFrame[];
  /** What a table or a folder of files has now; of other stores the cells say it. */
  readonly entries: readonly StoreEntry[];
}

/** What one kind of reader gets of a partition. */
export interface ReaderFrame {
  readonly reader: Reader;
  /** Records, or of a table its rows. */
  readonly sees: number;
  /** By cell: is it among them? */
  readonly cells: readonly boolean[];
}

/** A row of a table: its value now, the last ones that it had, and did a reader see it go back? Or a part file. */
export type StoreEntry =
  | {
      readonly is: "row";
      readonly key: KeyNumber;
      readonly name: string;
      readonly history: readonly number[];
      readonly back: boolean;
    }
  | {
      readonly is: "file";
      readonly name: string;
      readonly look: Look<TransactionState>;
      readonly records: number;
    };
