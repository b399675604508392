/** The configuration drawer's words, in the language that is shown. They are fetched with it. */
import { enConfiguration } from "./en-configuration.ts";

export function useConfigurationText(): typeof enConfiguration {
  return enConfiguration;
}
