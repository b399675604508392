/** The words of the inspector's fields and of the exceptions, in the language that is shown. They are fetched with them. */
import { enInspector } from "./en-inspector.ts";

export function useInspectorText(): typeof enInspector {
  return enInspector;
}
