/** The failure tool: the next thing that is tapped on the stage, or chosen there by key, is asked what should go wrong. */
import { type ReactElement, useEffect, useState } from "react";
import { stopUnder } from "../../view/stage/elements.ts";
import { openMenu } from "../app-actions.ts";
import { canFail } from "../can-fail.ts";
import { stageHost } from "../stage-host.ts";
import { usePhoneText } from "../text/phone-text.ts";

export function FailTool({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { fail } = usePhoneText();
  const [missed, setMissed] = useState(false);
  useEffect(() => {
    const ask = (event: Event, x: number, y: number): void => {
      // The buttons of the stage keep to what they do.
      if (event.target instanceof Element && event.target.closest("button") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      const stop = stopUnder(event.target);
      if (!canFail(stop)) return setMissed(true);
      openMenu(stop, x, y);
      onClose();
    };
    const tap = (event: MouseEvent): void => ask(event, event.clientX, event.clientY);
    const press = (event: KeyboardEvent): void => {
      if (!(event.target instanceof Element) || (event.key !== "Enter" && event.key !== " ")) return;
      const { x, y, width, height } = event.target.getBoundingClientRect();
      ask(event, x + width / 2, y + height / 2);
    };
    const leave = (event: KeyboardEvent): void => {
      if (event.key === "Escape") onClose();
    };
    stageHost.addEventListener("click", tap, { capture: true });
    stageHost.addEventListener("keydown", press, { capture: true });
    addEventListener("keydown", leave, { capture: true });
    return () => {
      stageHost.removeEventListener("click", tap, { capture: true });
      stageHost.removeEventListener("keydown", press, { capture: true });
      removeEventListener("keydown", leave, { capture: true });
    };
  }, [onClose]);
  return (
    <div className="fail-tool">
      <output>{missed ? fail.nothing : fail.ask}</output>
      <button type="button" className="button" onClick={onClose}>
        {fail.cancel}
      </button>
    </div>
  );
}
