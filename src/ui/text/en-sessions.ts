/** Words of links to a moment, files of runs, and runs that come back. Fetched with them. */
import { count as grouped } from "../format.ts";
import { plural } from "./plural.ts";

const parts: { readonly [field: string]: string } = {
  breakpoints: "breakpoints",
  filter: "the event log's filter",
  pinned: "what the inspector keeps",
};
const partName = (field: string): string => parts[field] ?? field;

export const enSessions = {
  title: "Link, file and saved runs",
  description: "What you see, as something that can be sent, kept and opened again.",
  link: "Link to this moment",
  linkNote:
    "Scenario, seed, what was decided on the way to this branch, the event, the selection, the open panel, the loop, breakpoints and the event log's filter. The address of this page is kept the same.",
  characters: (count: number) => plural(count, "character", "characters"),
  making: "making the link…",
  copy: "Copy the link",
  copied: "Copied.",
  notCopied: "The browser did not allow it: select the link and copy it.",
  tooLong: (count: number, most: number) =>
    `The link would have ${grouped(count)} characters; many programs cut those of more than ${grouped(most)}. Save a file.`,
  file: "File",
  fileNote: "All branches with their names. It is opened like a scenario: Scenario, Open file.",
  save: "Save the run as a file",
  saved: "Saved runs",
  savedNote: "Runs in which you decided something are saved by themselves, in this browser only.",
  none: "None yet: break something, or edit the scenario.",
  noStorageTitle: "This run cannot be kept.",
  noStorage: "This browser keeps nothing for this page. Save a file before you close it.",
  columns: { run: "Run", when: "Last seen", open: "Open", remove: "Delete" },
  run: (title: string, branches: number) =>
    branches === 0 ? title : `${title}, ${plural(branches, "what-if", "what-ifs")}`,
  open: "Open",
  openOf: (name: string) => `Open ${name}`,
  remove: (name: string) => `Delete ${name}`,
  isOpen: "open now",
  back: "Your last run is back.",
  backNote: "It was saved by itself. Scenario leads to the library, for a fresh one.",
  notWhole: "Not all of this run can be shown by this version.",
  left: (path: string, message: string, branches: number) =>
    `${path}: ${message} ${plural(branches, "branch was", "branches were")} left out.`,
  tooShort: (branches: number) =>
    `${plural(branches, "branch begins", "branches begin")} behind the end of the run that this version makes, and ${branches === 1 ? "is" : "are"} left out.`,
  stepBeyond: (step: number, last: number) => `Event ${step} does not exist here: the run ends at ${last}.`,
  differs: (version: string | null, from: number, to: number, time: string) =>
    `It was made by ${version === null ? "another version" : `version ${version}`} of this program, which computed another run: the first difference is between events ${from} and ${to}, about ${time}.`,
  toDifference: "Go to the first difference",
  noLoop: (from: number, to: number) => `The loop from event ${from} to event ${to} is not in this run.`,
  noFilter: (parts: number) =>
    `${plural(parts, "part", "parts")} of the event log's filter ${parts === 1 ? "is" : "are"} not known here.`,
  noBreakpoints: (count: number) =>
    `${plural(count, "breakpoint", "breakpoints")} ${count === 1 ? "is" : "are"} not known here.`,
  shortened: (fields: readonly string[]) =>
    `The link was made shorter: it is without ${fields.map(partName).join(", ")}.`,
  noSelection: (name: string) => `What was selected, ${name}, is not in this run.`,
  broken: "This link is incomplete or changed: it cannot be read. Ask for it again, or for the run as a file.",
  missing: (count: number) =>
    `This link is incomplete: ${plural(count, "character is", "characters are")} missing at its end. Ask for it again, or for the run as a file.`,
  linkName: "link",
  openFile: "Open a run file",
  paste: "Paste a run",
  pasted: "What was pasted",
  noClipboard: "This browser does not let the page read the clipboard. Open the run as a file.",
};
