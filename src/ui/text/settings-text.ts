/** The words of the settings in the language that is shown. They are fetched with them. */
import { enSettings } from "./en-settings.ts";

export function settingsText(): typeof enSettings {
  return enSettings;
}
