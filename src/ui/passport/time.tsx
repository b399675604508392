/** A time that leads to its instant. */
import type { ReactElement } from "react";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import type { Run } from "../run.ts";
import { usePassportText } from "../text/passport-text.ts";

interface TimeProps {
  readonly run: Run;
  readonly step: number;
  readonly what: string;
  /** In the place of the time. */
  readonly shown?: string;
}

export function Time({ run, step, what, shown }: TimeProps): ReactElement {
  const words = usePassportText();
  const controller = useController();
  const clock = run.log.clock(step);
  const go = (): void => {
    showDialog(null);
    controller.goTo(step);
  };
  return (
    <button
      type="button"
      className={shown === undefined ? "link-button passport-time" : "link-button mono passport-time"}
      aria-label={words.goTo(clock, what)}
      onClick={go}
    >
      {shown ?? clockTime(clock)}
    </button>
  );
}
