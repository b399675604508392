/** The phone's words in the language that is shown. They are fetched with its bar. */
import { enPhone } from "./en-phone.ts";

export function usePhoneText(): typeof enPhone {
  return enPhone;
}
