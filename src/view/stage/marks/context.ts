/** What every mark needs beside its datum. */
import type { Theme } from "../../theme.ts";
import type { Detail } from "../detail.ts";
import type { StageText } from "../text.ts";

export interface MarkContext {
  readonly theme: Theme;
  readonly text: StageText;
  /** The step of the magnification. */
  readonly detail: Detail;
}
