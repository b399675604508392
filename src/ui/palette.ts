/** What the command palette can find and do, and which of it fits what somebody has typed. */
import { at } from "../base/assert.ts";
import { eventTypes } from "../protocol/events.ts";
import { library } from "../scenario/library.ts";
import type { Stop } from "../view/stage/elements.ts";
import { changeSettings, inspect, select } from "./app-actions.ts";
import { nameOfBranch } from "./branches.ts";
import type { Controller } from "./controller.ts";
import { elementName } from "./element-name.ts";
import { shownKeys } from "./key-map.ts";
import { bindings } from "./keyboard.ts";
import { openLibrary } from "./opening.ts";
import { fit } from "./palette-fit.ts";
import { saveReport, saveRestReplies, saveScenario, saveTrace } from "./save-run.ts";
import { dockTabs, themes } from "./setting-choices.ts";
import { focusElement } from "./stage-anchor.ts";
import { type App, appStore, branchOf, graphOf } from "./store.ts";
import type { enKeys } from "./text/en-keys.ts";
import type { enPalette } from "./text/en-palette.ts";
import type { Text } from "./text/en.ts";

export interface Command {
  readonly id: string;
  readonly kind: "action" | "panel" | "scenario" | "branch" | "element" | "event";
  readonly name: string;
  /** The key that does the same, or what tells it from others of its name. */
  readonly beside: string;
  readonly act: (controller: Controller) => void;
}

export interface PaletteWords {
  readonly text: Text;
  readonly keys: typeof enKeys;
  readonly palette: typeof enPalette;
}

/** Everything by name, the most general first. */
export function commandsOf(app: App, words: PaletteWords): Command[] {
  return [
    ...actions(app, words),
    ...panels(words),
    ...scenarios(),
    ...branches(app),
    ...elements(app, words),
    ...events(app, words),
  ];
}

function actions({ settings }: App, { text, keys, palette }: PaletteWords): Command[] {
  const bound = bindings.flatMap((binding): Command[] => {
    const { name, act } = binding;
    return act === undefined || several.has(name)
      ? []
      : [
          {
            id: `key ${name}`,
            kind: "action",
            name: keys.names[name],
            beside: shownKeys(binding, settings.keys),
            act: (controller) => void act(controller, 0),
          },
        ];
  });
  const saves = [
    [text.header.saveReport, saveReport],
    [text.header.saveTrace, () => void saveTrace()],
    [text.header.saveRest, () => void saveRestReplies()],
    [text.header.saveScenario, saveScenario],
    [text.header.editScenario, () => appStore.setState({ dialog: "edit", draft: null })],
  ] as const;
  return [
    ...bound,
    ...saves.map(([name, act]): Command => ({ id: `save ${name}`, kind: "action", name, beside: "", act })),
    ...themes.map((theme): Command => ({
      id: `theme ${theme}`,
      kind: "action",
      name: palette.theme(text.header.themes[theme]),
      beside: "",
      act: () => changeSettings({ theme }),
    })),
  ];
}

/** Keys that each lead elsewhere, have a list of their own here, or mean nothing once the palette has closed. */
const several: ReadonlySet<string> = new Set(["branch", "dock", "palette", "search", "close"]);

function panels({ text }: PaletteWords): Command[] {
  return dockTabs.map((dock, index) => ({
    id: `panel ${dock}`,
    kind: "panel",
    name: text.panels.tabs[dock],
    beside: dock === "selected" ? "" : String(index + 1),
    act: () => changeSettings({ dock }),
  }));
}

function scenarios(): Command[] {
  return library.map(({ id, title }) => ({
    id: `scenario ${id}`,
    kind: "scenario",
    name: title.en,
    beside: id,
    act: (controller) => openLibrary(controller, id),
  }));
}

function branches({ session }: App): Command[] {
  if (session === null || session.branches.length < 2) return [];
  return session.branches.map(({ branch: { id } }) => ({
    id: `branch ${id}`,
    kind: "branch",
    name: nameOfBranch(session, id),
    beside: id < 9 ? `Alt+${id + 1}` : "",
    act: (controller) => controller.switchBranch(id),
  }));
}

function elements(app: App, { text }: PaletteWords): Command[] {
  const graph = graphOf(app);
  if (graph === null) return [];
  const of = (kind: Stop["kind"], list: readonly unknown[]): Stop[] => list.map((_, id) => ({ kind, id }));
  const stops: Stop[] = [
    { kind: "jobManager", id: 0 },
    { kind: "storage", id: 0 },
    ...of("vertex", graph.vertices),
    ...of("subtask", graph.subtasks),
    ...of("taskManager", graph.taskManagers),
    ...of("input", graph.inputs),
    ...of("output", graph.outputs),
    ...of("channel", graph.channels),
  ];
  return stops.map((stop) => ({
    id: `${stop.kind} ${stop.id}`,
    kind: "element",
    name: elementName(graph, stop, text),
    beside: text.stageText.role(stop.kind),
    act: () => reach(stop),
  }));
}

/** The kinds of entry that the run has: to the next of one behind the cursor, and from the last on to the first. */
function events(app: App, { palette }: PaletteWords): Command[] {
  const log = branchOf(app)?.run.log;
  if (log === undefined) return [];
  const counts = new Map<number, number>();
  for (let step = 0; step < log.length; step++) counts.set(log.type(step), (counts.get(log.type(step)) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({
    id: `event ${type}`,
    kind: "event",
    name: at(eventTypes, type),
    beside: palette.times(count),
    act: (controller) => {
      const { step } = appStore.getState();
      for (let ahead = 1; ahead <= log.length; ahead++) {
        const entry = (step + ahead) % log.length;
        if (log.type(entry) === type) return controller.goTo(entry);
      }
    },
  }));
}

/** Brings selection and focus to it; to what is told of it where it is not drawn singly. */
function reach(stop: Stop): void {
  if (stop.kind !== "vertex") select(stop);
  if (!focusElement(stop) && stop.kind !== "vertex") inspect(stop);
}

/** The best first, at most `most`; as they stand where nothing is typed. */
export function found(commands: readonly Command[], typed: string, most: number): Command[] {
  const fits = commands.flatMap((command) => {
    const how = fit(command.name, command.beside, typed);
    return how === null ? [] : [{ command, how }];
  });
  return fits
    .toSorted((a, b) => a.how - b.how)
    .slice(0, most)
    .map(({ command }) => command);
}
