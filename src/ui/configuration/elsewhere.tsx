import type { ReactElement } from "react";
import { useConfigurationText } from "../text/configuration-text.ts";
import type { Checked } from "./draft.ts";

/** What is wrong beside the configuration: the scenario that is open had nothing of that. */
export function Elsewhere({
  state: { elsewhere },
}: {
  readonly state: Pick<Checked, "elsewhere">;
}): ReactElement | null {
  const words = useConfigurationText();
  if (elsewhere.length === 0) return null;
  return (
    <div role="alert" className="configuration-said problem">
      <strong>{words.elsewhere}</strong>
      {elsewhere.map(({ path, message }) => (
        <p key={path}>
          <span className="mono">{path}</span> {message}
        </p>
      ))}
    </div>
  );
}
