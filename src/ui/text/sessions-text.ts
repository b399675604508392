/** The words of links, files and saved runs in the language that is shown. They are fetched with them. */
import { enSessions } from "./en-sessions.ts";

export function sessionsText(): typeof enSessions {
  return enSessions;
}
