/** Where everything on the stage stands, as plain data: a layout is made in a worker and crosses to the page. */
import type { Density } from "./density.ts";
import type { Box, Path, Point } from "./path.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The direction in which records flow. */
export type Orientation = "horizontal" | "vertical";

/** Beside the cells of a vertex: the line that counts them, bars, rows for those that stand out. */
export interface SummaryPlace {
  readonly counts: Box;
  /** How full the inputs are and how far the alignment is; only of large vertices. */
  readonly bars: Box | null;
  readonly rows: readonly Box[];
}

export interface VertexPlace {
  readonly box: Box;
  readonly density: Density;
  /** `null`: its subtasks are no cells. */
  readonly summary: SummaryPlace | null;
}

export interface SubtaskPlace {
  readonly box: Box;
  readonly density: Density;
}

/** A channel's line ends in a tray, in which what has arrived waits for the receiver. */
export interface ChannelPlace {
  readonly path: Path;
  /** Length of one buffer's place in the tray. */
  readonly slot: number;
  /** Places that are drawn; a channel may hold more. */
  readonly slots: number;
  /** From the tray to the port. */
  readonly rest: number;
}

export interface EdgePlace {
  /** The one line that stands for all channels of a large exchange. */
  readonly bundle: ChannelPlace | null;
  /** Where the ship strategy is written. */
  readonly label: Point;
}

export interface StageLayout extends Size {
  readonly orientation: Orientation;
  readonly jobManager: Box;
  readonly sources: Box;
  /** By input partition; `null`: there are too many to be shown one by one. */
  readonly inputs: readonly (Box | null)[];
  readonly storage: Box;
  readonly outside: Box;
  /** By output partition; `null` as for inputs. */
  readonly outputs: readonly (Box | null)[];
  readonly taskManagers: readonly Box[];
  readonly vertices: readonly VertexPlace[];
  readonly subtasks: readonly SubtaskPlace[];
  /** By channel; `null`: drawn only as part of its edge's bundle. */
  readonly channels: readonly (ChannelPlace | null)[];
  readonly edges: readonly EdgePlace[];
}
