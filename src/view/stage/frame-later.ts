/** What the stage tells beyond a first picture, fetched behind it. */
import { fencingToken } from "../../projection/fencing.ts";
import type { StoredSnapshot } from "../../projection/shelf.ts";
import { transactionClock } from "../../projection/transaction-timeout.ts";
import type { RunView } from "../../projection/views.ts";
import { fallOff } from "./fall.ts";
import { earlierOf } from "./frame-earlier.ts";
import { entriesOf } from "./frame-entries.ts";
import { ghostOf } from "./frame-ghosts.ts";
import { givenTo, restoreTokens } from "./frame-restores.ts";
import type { Later } from "./frame-types.ts";

/** `shelfAt`: what lies in storage at a step; a view alone does not have it. */
export function laterWith(shelfAt: (step: number) => readonly StoredSnapshot[]): Later {
  return {
    clockOf: transactionClock,
    earlierOf: (view: RunView) => (view.past.length === 0 ? [] : earlierOf(view, shelfAt(view.step))),
    entriesOf,
    fallOff,
    ghostOf,
    givenTo,
    restoreTokens,
    // Without high availability it is the same for all, and tells nothing.
    tokenOf: (view) => (view.shared.scenario.config.state.highAvailability ? fencingToken(view) : null),
  };
}
