/** The stage's words in the language that is shown. They are needed first, and alone. */
import type { StageText } from "../../view/stage/text.ts";
import { enStage } from "./en-stage.ts";

export function currentStageText(): StageText {
  return enStage;
}
