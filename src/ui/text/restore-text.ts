/** The words of the shelf and of the dry run, in the language that is shown. They are fetched with what shows them. */
import { enRestore } from "./en-restore.ts";

export function useRestoreText(): typeof enRestore {
  return enRestore;
}
