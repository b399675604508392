/** The number beside a fault menu: with which probability the fault acts each time. Its keys are its own. */
import { type ReactElement, useEffect, useRef } from "react";
import { usePlanText } from "../text/plan-text.ts";
import { type When, isWrong } from "./when.ts";

const ID = "fault-percent";

/** Has the number the focus? */
export function isTyping(): boolean {
  return document.activeElement?.id === ID;
}

interface PercentProps {
  readonly when: When;
  readonly onWhen: (when: When) => void;
}

/** Takes the focus as it comes up; Enter and Tab give it back to the entries. */
export function Percent({ when, onWhen }: PercentProps): ReactElement {
  const words = usePlanText();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const wrong = isWrong(when);
  return (
    <div className="menu-percent">
      <label htmlFor={ID}>{words.percent}</label>
      <span>
        <input
          id={ID}
          ref={field}
          className="text-input"
          type="number"
          inputMode="decimal"
          min={0.1}
          max={100}
          step="any"
          value={when.percent ?? ""}
          aria-invalid={wrong}
          aria-describedby={`${ID}-said`}
          onChange={(event) => onWhen({ ...when, percent: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape") return;
            event.stopPropagation();
            if (event.key !== "Enter" && event.key !== "Tab") return;
            event.preventDefault();
            firstEntry(event.currentTarget)?.focus();
          }}
        />{" "}
        {words.percentSign}
      </span>
      <p id={`${ID}-said`} className={wrong ? "problem-text" : "muted"} aria-live="polite">
        {wrong ? words.percentWrong : words.percentHint}
      </p>
    </div>
  );
}

function firstEntry(field: HTMLElement): HTMLElement | null {
  return field.closest(".fault-menu")?.querySelector<HTMLElement>("[role=menuitem]:not([data-disabled])") ?? null;
}
