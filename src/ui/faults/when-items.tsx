/** Now, or at a named instant: once, every time, or each time by chance. Chosen before the fault, so the menu stays open. */
import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement } from "react";
import { usePlanText } from "../text/plan-text.ts";
import type { Instant } from "./instants.ts";
import type { When } from "./when.ts";

interface WhenProps {
  readonly instants: readonly Instant[];
  readonly when: When;
  readonly onWhen: (when: When) => void;
}

/** What the number begins with. */
const HALF = "50";
const stay = (event: Event): void => event.preventDefault();

export function WhenItems({ instants, when, onWhen }: WhenProps): ReactElement {
  const words = usePlanText();
  const choose = (name: string): void => {
    const instant = instants.find((each) => each.name === name) ?? null;
    onWhen(instant === null ? { instant, every: false, percent: null } : { ...when, instant });
  };
  return (
    <>
      <div className="menu-separator" />
      <DropdownMenu.Label className="menu-label">{words.when}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={when.instant?.name ?? "now"} onValueChange={choose}>
        {(["now", ...instants.map(({ name }) => name)] as const).map((name) => (
          <DropdownMenu.RadioItem key={name} value={name} className="menu-item compact" onSelect={stay}>
            <Mark />
            <span className="menu-item-label">{name === "now" ? words.now : words.instants[name]}</span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <Choice
        label={words.everyTime}
        checked={when.every}
        disabled={when.instant === null}
        onChange={(every) => onWhen({ ...when, every, percent: null })}
      />
      <Choice
        label={words.byChance}
        checked={when.percent !== null}
        disabled={when.instant === null}
        onChange={(chance) => onWhen({ ...when, every: chance || when.every, percent: chance ? HALF : null })}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Choice({ label, checked, disabled, onChange }: ChoiceProps): ReactElement {
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item compact"
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      onSelect={stay}
    >
      <Mark />
      <span className="menu-item-label">{label}</span>
    </DropdownMenu.CheckboxItem>
  );
}

function Mark(): ReactElement {
  return (
    <span className="menu-check">
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden />
      </DropdownMenu.ItemIndicator>
    </span>
  );
}
