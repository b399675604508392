/** What the stage tells beyond a first picture, fetched behind it. */
import { fencingToken } from "../../projection/fencing.ts";
import { entriesOf } from "./frame-entries.ts";
import { ghostOf } from "./frame-ghosts.ts";
import { givenTo, restoreTokens } from "./frame-restores.ts";
import type { Later } from "./frame-types.ts";

export const later: Later = { entriesOf, ghostOf, givenTo, restoreTokens, tokenOf: fencingToken };
