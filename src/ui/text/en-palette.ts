/** The command palette. Fetched with it. */
export const enPalette = {
  title: "Find and do",
  description: "Actions and their keys, panels, scenarios, branches, events, and everything in the graph, by name.",
  field: "Name of an action or a thing",
  hint: "step, sweep, total[1], tm-2, shuffle…",
  kinds: { action: "action", panel: "panel", scenario: "scenario", branch: "branch", element: "", event: "event" },
  found: (count: number, more: boolean) =>
    count === 0 ? "Nothing has that name." : `${count}${more ? " and more" : ""} found`,
  times: (count: number) => (count === 1 ? "once" : `${count} times`),
  theme: (name: string) => `Theme: ${name}`,
} as const;
