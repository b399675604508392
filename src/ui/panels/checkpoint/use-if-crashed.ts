/** What has been asked about the moment on screen: answers last as long as the panel, each for its own moment. */
import { useEffect, useRef, useState } from "react";
import { ownerOf } from "../../branch-owner.ts";
import { useController } from "../../controller-context.ts";
import { decisionsOf } from "../../link.ts";
import { branchOf } from "../../store.ts";
import { useApp } from "../../use-app.ts";
import { type Moment, isOver } from "../../use-view.ts";
import { OtherRuns } from "../../what-if/runs.ts";
import { type Crashed, failuresNow, tryAll } from "./if-crashed.ts";

export interface Asked {
  /** Failures that are tried. */
  readonly of: number;
  readonly known: readonly Crashed[];
}

export interface IfCrashed {
  /** `null`: nobody has asked. */
  readonly asked: Asked | null;
  /** Whether something is left that could crash. */
  readonly possible: boolean;
  readonly ask: () => void;
}

export function useIfCrashed(moment: Moment): IfCrashed {
  const controller = useController();
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  const [answers, setAnswers] = useState<ReadonlyMap<string, Asked>>(new Map());
  const runs = useRef<OtherRuns | null>(null);
  useEffect(() => () => runs.current?.close(), []);
  const { step } = moment;
  const key = `${session?.number ?? 0} ${branch?.branch.id ?? 0} ${step}`;
  const possible = branch !== null && step + 1 < branch.length && !isOver(moment.view);
  const ask = (): void => {
    if (session === null || branch === null) return;
    const commands = failuresNow(moment.graph, moment.scenario);
    const put = (change: (before: Asked) => Asked): void =>
      setAnswers((before) => {
        const was = before.get(key) ?? { of: commands.length, known: [] };
        return new Map([...before, [key, change(was)]]);
      });
    runs.current?.close();
    const owner = ownerOf(session, branch.branch.id, step);
    const made = new OtherRuns(controller.connect, session.scenario, decisionsOf(session, owner));
    runs.current = made;
    put(() => ({ of: commands.length, known: [] }));
    void tryAll(made, step + 1, commands, (crashed) =>
      put((before) => ({ ...before, known: [...before.known, crashed] })),
    ).finally(() => made.close());
  };
  return { asked: answers.get(key) ?? null, possible, ask };
}
