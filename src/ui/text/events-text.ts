/** The words of the event log in the language that is shown. They are fetched with it. */
import { enEvents } from "./en-events.ts";

export function eventsText(): typeof enEvents {
  return enEvents;
}

export function useEventsText(): typeof enEvents {
  return eventsText();
}
