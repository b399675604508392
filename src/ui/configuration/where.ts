/** Where on the page it shows what a key does; the place pulses when a person asks. */

export type Place =
  | "timeline"
  | "channels"
  | "storage"
  | "subtasks"
  | "taskManagers"
  | "jobManager"
  | "sinks"
  | "sources"
  | "checkpoints";

const selectors: { readonly [P in Place]: string } = {
  timeline: ".scrubber",
  channels: '[data-element^="channel:"], [data-element^="edge:"]',
  storage: '[data-element="storage"]',
  subtasks: '[data-element^="subtask:"]',
  taskManagers: '[data-element^="taskManager:"]',
  jobManager: '[data-element="jobManager"]',
  sinks: '[data-element^="output:"]',
  sources: '[data-element^="input:"]',
  checkpoints: ".dock",
};

/** The first that fits. */
const places: readonly (readonly [RegExp, Place])[] = [
  [/^execution\.checkpointing\.(?:interval|min-pause|max-concurrent|timeout)/, "timeline"],
  [/^execution\.checkpointing\.(?:mode|unaligned|aligned|during)|^taskmanager\.(?:network|memory)/, "channels"],
  [/^execution\.checkpointing\.(?:tolerable|checkpoints-after)|^restart|^jobmanager|^high-av|^slot\.req/, "jobManager"],
  [/^execution\.(?:checkpointing|state-recovery)/, "storage"],
  [/^(?:state|parallelism|pipeline|execution|task\.)/, "subtasks"],
  [/^(?:heartbeat|taskmanager|slot)/, "taskManagers"],
  [/^web/, "checkpoints"],
  [/^(?:isolation|commit\.offsets)/, "sources"],
  [/./, "sinks"],
];

export function placeOf(key: string): Place {
  return places.find(([pattern]) => pattern.test(key))?.[1] ?? "jobManager";
}

/** Milliseconds. */
const PULSE = 1800;
let ends: ReturnType<typeof setTimeout> | undefined;

/** Lets the place pulse, and the drawer step back meanwhile; `false`: it is not drawn. */
export function pulse(place: Place): boolean {
  const nodes = [...document.querySelectorAll(selectors[place])];
  clearTimeout(ends);
  for (const node of document.querySelectorAll("[data-pulse]")) node.removeAttribute("data-pulse");
  for (const node of nodes) node.setAttribute("data-pulse", "");
  document.documentElement.toggleAttribute("data-pulsing", nodes.length > 0);
  ends = setTimeout(() => {
    for (const node of nodes) node.removeAttribute("data-pulse");
    document.documentElement.removeAttribute("data-pulsing");
  }, PULSE);
  return nodes.length > 0;
}
