/** Words of the event log: filters, causes and effects. Fetched with it. */
import type { EventFamily } from "../../projection/event-families.ts";
import { count as grouped } from "../format.ts";
import { plural } from "./plural.ts";

const families: { readonly [F in EventFamily]: string } = {
  failures: "Failures and the way back",
  checkpoints: "Checkpoints and barriers",
  transactions: "Transactions and commits",
  records: "Records",
  job: "Job and tasks",
};

export const enEvents = {
  caption: "Event log",
  columns: {
    step: "Event",
    time: "Time",
    type: "Type",
    what: "What happened",
    where: "Where",
    cause: "Cause",
    effects: "Effects",
    run: "Run",
  },
  search: "Words in the event",
  searchHint: "words: total[1], orders-0@7, restart…",
  filters: "Filters",
  kind: "Kind…",
  element: "Element…",
  checkpoint: "Checkpoint…",
  families,
  familyOf: (name: string) => `All of ${name.toLowerCase()}`,
  selected: (name: string) => `Only ${name}`,
  checkpointChip: (id: number) => `Checkpoint ${id}`,
  effectsChip: (step: number) => `Because of ${step}`,
  remove: (name: string) => `Remove the filter ${name}`,
  clearAll: "Clear all",
  found: (count: number, all: number) =>
    count === all ? plural(all, "event", "events") : `${grouped(count)} of ${plural(all, "event", "events")}`,
  searching: (share: number) => `searching, ${Math.floor(share * 100)} %`,
  none: "No event meets all of these filters.",
  clear: "Clear filters",
  cause: (step: number) => `Caused by event ${step}: go there`,
  effect: (step: number) => `Caused event ${step}: go there`,
  effects: (count: number, step: number) => `All ${count} events that event ${step} caused`,
  more: (count: number) => `+${count}`,
  runTo: (step: number) => `Run to event ${step}`,
  part: (from: number, to: number, all: number) =>
    `Rows ${grouped(from)} to ${grouped(to)} of ${grouped(all)}, around the cursor`,
  groups: {
    tasks: "Tasks",
    machines: "Machines",
    channels: "Channels",
    outside: "Outside",
    transactions: "Transactions",
  },
};
