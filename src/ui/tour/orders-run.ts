/** What a first visit opens with. `vite build` carries this module out, as it does `first-run.ts`. */
import { readLibrary } from "../read-library.ts";

export const ordersRun = readLibrary("orders");
