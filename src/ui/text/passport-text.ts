/** The record passport's words in the language that is shown. They are fetched with what opens it. */
import { enPassport } from "./en-passport.ts";

export function usePassportText(): typeof enPassport {
  return enPassport;
}
