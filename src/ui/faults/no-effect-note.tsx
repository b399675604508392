/** At a planned fault: that it did nothing, and where it would (E-36). */
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import { useController } from "../controller-context.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { type Session, branchOf } from "../store.ts";
import { useTroublesText } from "../text/troubles-text.ts";
import { useText } from "../text/use-text.ts";
import { useApp } from "../use-app.ts";
import { noEffectOf } from "./no-effect.ts";
import { replan, writtenFaults } from "./plan.ts";

interface NoteProps {
  readonly session: Session;
  readonly index: number;
}

export function NoEffectNote({ session, index }: NoteProps): ReactElement | null {
  const text = useText();
  const words = useTroublesText();
  const controller = useController();
  const branch = useApp(branchOf);
  const told = branch === null ? null : noEffectOf(branch.run, branch.report, index);
  if (told === null) return null;
  if (told.says === "neverActed" || told.says === "byChance")
    return <span className="no-effect">{words[told.says]}</span>;
  const { clock, moveTo } = told;
  const fault = at(session.scenario.faults, index);
  return (
    <span className="no-effect" data-trouble="E-36">
      {told.says === "moot"
        ? words.moot(commandName(fault, text), clockTime(clock), told.why)
        : words.noEffect(commandName(fault, text), clockTime(clock), told.subtask)}{" "}
      {moveTo === null ? (
        told.says === "moot" ? null : (
          words.neverRuns
        )
      ) : (
        <button
          type="button"
          className="button small"
          onClick={() => replan(controller, index, { ...writtenFaults(session)[index], at: { time: `${moveTo} ms` } })}
        >
          {words.moveTo(clockTime(moveTo))}
        </button>
      )}
    </span>
  );
}
