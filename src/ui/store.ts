/**
 * What the person is looking at: the session and its branches, the cursor, the selection, what is open, the settings.
 * Facts of a run are not here: they are folded from the log (`run.ts`). What changes with every frame is in `playhead.ts`.
 */
import { subscribeWithSelector } from "zustand/middleware";
import { createStore } from "zustand/vanilla";
import type { Problem } from "../base/result.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Report } from "../scenario/report.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { StageElement, Stop } from "../view/stage/elements.ts";
import type { Outcome } from "../view/theme.ts";
import type { Branch, BranchId, Reproduction, Violation } from "../worker/port.ts";
import type { Loop } from "./playing.ts";
import type { Run } from "./run.ts";
import { type Settings, defaultSettings } from "./settings.ts";

/** One branch as far as it has been computed. A new object tells that something in it has changed. */
export interface BranchRun {
  readonly branch: Branch;
  readonly run: Run;
  /** Entries so far, the shared ones included. */
  readonly length: number;
  /** `null`: it is still being computed, or it broke off. */
  readonly report: Report | null;
  readonly violation: Violation | null;
  /** As somebody called it; `null`: by what was decided. */
  readonly name: string | null;
  /** Entries that have been judged once all have been computed. */
  readonly judged: number;
  /** Somebody has stopped computing or judging it; it can go on. */
  readonly paused: boolean;
  /** Somebody has put it away, with all that branch off from it; it can be brought back. */
  readonly removed: boolean;
}

/** Something about what was opened that must not be overlooked. */
export interface NoticeWords {
  readonly title: string;
  readonly lines: readonly string[];
  /** Where to look, in words; `null`: nowhere. */
  readonly go: { readonly step: number; readonly words: string } | null;
  /** Not all that was asked for is on screen. */
  readonly lacks: boolean;
}

export interface Session {
  readonly number: number;
  readonly scenario: Scenario;
  /** As it was written, before defaults. */
  readonly text: string;
  /** Which library scenario this is, unchanged; `null`: somebody's own. */
  readonly library: string | null;
  /** How many of its last faults somebody has planned. */
  readonly planned: number;
  readonly graph: ExecutionGraph;
  /** The scenario's faults, then what was decided, in the order in which the log counts them. Grows with each branch. */
  readonly commands: Command[];
  /** By id. */
  readonly branches: readonly BranchRun[];
}

/** A fault menu and where on the page its element is. */
export interface FaultMenu {
  readonly element: Stop;
  /** What gets the focus back; `null`: the element on the stage. */
  readonly back: HTMLElement | null;
  readonly x: number;
  readonly y: number;
  /** Playing goes on after the choice if it was going on before. */
  readonly wasPlaying: boolean;
}

/** The engine has stopped, or says that it made a mistake. */
export interface Failure {
  readonly message: string;
  readonly reproduction: Reproduction;
}

/** A text that is no scenario: what was tried, and what is wrong with it. */
export interface Refused {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** What a person did, in the words of `text.live`. */
export type Announcement =
  | { readonly says: "opened" | "undone" | "nothingToUndo" | "redone" | "nothingToRedo" | "selectFirst" }
  | { readonly says: "moved"; readonly branch: BranchId }
  | { readonly says: "noFurther"; readonly kind: "event" | "phase" | "checkpoint" | "failure" }
  | { readonly says: "outcome"; readonly outcome: Outcome }
  /** Of a part of the app that is fetched apart, with its words. */
  | { readonly says: "words"; readonly words: string };

/** What a cause or an effect is shown of, in every view at once: entries of a branch, and what they are about. */
export interface Lit {
  readonly branch: BranchId;
  readonly steps: ReadonlySet<number>;
  readonly elements: readonly StageElement[];
}

export type PlaybackState = "paused" | "playing" | "atEnd";
export type Dialog =
  | "edit"
  | "help"
  | "palette"
  | "failure"
  | "compare"
  | "diff"
  | "restore"
  | "guarantees"
  | "timeouts"
  | "passport"
  | "configuration"
  | "share"
  | "settings"
  | "legend"
  | null;

export interface App {
  readonly session: Session | null;
  /** One that is being made, and cannot be shown yet. */
  readonly staged: Session | null;
  /** Requests to the engine that have not come to their end. */
  readonly pending: number;
  readonly branch: BranchId;
  /** The last entry that has happened. */
  readonly step: number;
  /** The same for the panels, which come behind the picture (`panels-behind.ts`). */
  readonly panelStep: number;
  readonly playback: PlaybackState;
  /** What is played over and over; `null`: nothing. */
  readonly loop: Loop | null;
  /** The entry at which a breakpoint stopped, and which one; `null`: none has yet. */
  readonly stopped: { readonly step: number; readonly words: string } | null;
  readonly selection: StageElement | null;
  /** What the inspector keeps besides, at most `PINS`. */
  readonly pinned: readonly StageElement[];
  /** `null`: nothing is lit. */
  readonly lit: Lit | null;
  /** The narrator tells why, as soon as there is something to tell it of. */
  readonly whyOpen: boolean;
  readonly menu: FaultMenu | null;
  readonly dialog: Dialog;
  /** The submission that the dry run is of. */
  readonly asked: Command | null;
  /** Text in the scenario editor; `null`: what is open. */
  readonly draft: string | null;
  readonly failure: Failure | null;
  readonly notice: NoticeWords | null;
  readonly refused: Refused | null;
  /** Said to screen readers, beside the narration. */
  readonly announcement: Announcement | null;
  /** How far the kill sweep of this session is, or what it came to, in a word for its tab. */
  readonly sweepSign: string | null;
  /** Its panel was asked for by a key or a menu: the focus is to go there. */
  readonly sweepAsked: boolean;
  /** The same of the inspector, which may still have to be fetched. */
  readonly inspectorAsked: boolean;
  /** Only the stage, the narrator and the playback, large. */
  readonly projector: boolean;
  /** The first minute of a first visit is under way. */
  readonly tour: boolean;
  readonly settings: Settings;
}

export const appStore = createStore<App>()(
  subscribeWithSelector((): App => ({
    session: null,
    staged: null,
    pending: 0,
    branch: 0,
    step: 0,
    panelStep: 0,
    playback: "paused",
    loop: null,
    stopped: null,
    selection: null,
    pinned: [],
    lit: null,
    whyOpen: false,
    menu: null,
    dialog: null,
    asked: null,
    draft: null,
    failure: null,
    notice: null,
    refused: null,
    announcement: null,
    sweepSign: null,
    sweepAsked: false,
    inspectorAsked: false,
    projector: false,
    tour: false,
    settings: defaultSettings,
  })),
);

/** Nothing more comes of it by itself. */
export function isComputed({ report, paused }: BranchRun): boolean {
  return report !== null || paused;
}

export function branchOf(app: App): BranchRun | null {
  return app.session?.branches[app.branch] ?? null;
}

/** The graph of the job at the cursor: a run may go on with another job. */
export function graphOf(app: App): ExecutionGraph | null {
  return branchOf(app)?.run.jobs.at(app.step).graph ?? app.session?.graph ?? null;
}

/** Numbers of another job's subtasks, channels and checkpoints mean something else, or nothing. */
appStore.subscribe(graphOf, () => appStore.setState({ selection: null, pinned: [], menu: null }));
