/** The one place that decides which language is shown. */
import { useApp } from "../use-app.ts";
import { type Text, en } from "./en.ts";

export function currentText(): Text {
  return en;
}

/** Drawn again when numbers are written in another way. */
export function useText(): Text {
  useApp((app) => app.settings.numbers);
  return currentText();
}
