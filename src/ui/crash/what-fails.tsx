/** Which failure it is that strikes. */
import type { ReactElement } from "react";
import { commandName } from "../fault-name.ts";
import { useCrashText } from "../text/crash-text.ts";
import { useText } from "../text/use-text.ts";
import type { CrashDrag, CrashState } from "./crash-drag.ts";

interface WhatFailsProps {
  readonly drag: CrashDrag;
  readonly state: CrashState;
}

export function WhatFails({ drag, state }: WhatFailsProps): ReactElement {
  const text = useText();
  const crash = useCrashText();
  return (
    <label className="select">
      <span className="visually-hidden">{crash.what}</span>
      <select value={state.chosen} onChange={(event) => drag.choose(Number(event.currentTarget.value))}>
        {state.commands.map((command, index) => (
          <option key={JSON.stringify(command)} value={index}>
            {commandName(command, text)}
          </option>
        ))}
      </select>
    </label>
  );
}
