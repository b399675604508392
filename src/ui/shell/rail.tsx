import type { ReactElement } from "react";
import { useText } from "../text/use-text.ts";
import { Inspector } from "../panels/inspector.tsx";
import { Narrator } from "../panels/narrator.tsx";

export function Rail(): ReactElement {
  const { panels } = useText();
  return (
    <aside className="rail" aria-label={panels.rail}>
      <Narrator />
      <Inspector />
    </aside>
  );
}
