/** The words of the keys, in the language that is shown. They are fetched with what shows them. */
import { enKeys } from "./en-keys.ts";

export function useKeysText(): typeof enKeys {
  return enKeys;
}
