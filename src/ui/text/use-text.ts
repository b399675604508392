/** The one place that decides which language is shown. */
import { type Text, en } from "./en.ts";

export function currentText(): Text {
  return en;
}

export function useText(): Text {
  return currentText();
}
