/**
 * What the page opens with. `vite build` carries this module out and ships what it exports (`vite.config.ts`): the first
 * picture needs a scenario that has been read, and not all that can read one.
 */
import { readLibrary } from "./read-library.ts";

export const firstRun = readLibrary("order-totals");
