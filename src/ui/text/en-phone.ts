/** What only a phone shows. Fetched with its bar of tabs. */
export const enPhone = {
  bar: "Views",
  tabs: { stage: "Stage", time: "Time", inspect: "Inspect", more: "More", fail: "Fail" },
  selected: "something is selected",
  more: {
    title: "More",
    description: "Everything else that there is to see and to do.",
    panels: "Panels",
    steps: "Go to",
    find: "Find and do…",
  },
  fail: {
    ask: "Tap what is to fail: a task, a channel, a machine, the JobManager…",
    nothing: "Nothing can fail there. Tap something else.",
    cancel: "Cancel",
  },
} as const;
