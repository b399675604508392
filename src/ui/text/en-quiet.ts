/** Words of the end of a run. Fetched with it. */
export const enQuiet = {
  quiet: "All quiet: no event is scheduled.",
  ends: "The run ends here: the scenario says so.",
  addInput: "Add input",
  addInputNote: "The same run with as much input again. Undo brings this one back.",
  fail: "Inject a fault",
  restart: "Restart run",
} as const;
