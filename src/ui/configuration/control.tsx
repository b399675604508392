/** How a value is given. */
import type { ReactElement } from "react";
import type { Option } from "../../scenario/options.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import type { Said } from "./draft.ts";

interface ControlProps {
  readonly id: string;
  readonly option: Pick<Option, "kind" | "only">;
  readonly standard: string | null;
  readonly value: string | null;
  readonly set: (value: string | null) => void;
  readonly said: readonly Said[];
}

/** A choice where there are only so many values, else a text. */
export function Control({ id, option, standard, value, set, said }: ControlProps): ReactElement {
  const words = useConfigurationText();
  const { kind, only } = option;
  const invalid = said.some((each) => each.kind === "problem");
  const described = { "aria-describedby": `${id}-help ${id}-said`, "aria-invalid": invalid };
  const choices = kind === "boolean" ? ["true", "false"] : typeof kind === "string" ? null : kind;
  if (choices === null)
    return (
      <input
        id={id}
        className="text-input"
        spellCheck={false}
        autoComplete="off"
        value={value ?? ""}
        placeholder={standard ?? ""}
        onChange={(event) => set(event.currentTarget.value)}
        {...described}
      />
    );
  // A value that is none of them, as a file may have it, can still be seen.
  const known = choices.find((each) => each.toUpperCase() === value?.toUpperCase()) ?? value ?? "";
  const listed = known === "" || choices.includes(known) ? choices : [known, ...choices];
  return (
    <span className="select">
      <select id={id} value={known} onChange={(event) => set(event.currentTarget.value)} {...described}>
        <option value="">{words.useDefault(standard)}</option>
        {listed.map((each) => (
          <option key={each} value={each} disabled={only !== null && !only.values.includes(each)}>
            {each}
          </option>
        ))}
      </select>
    </span>
  );
}
