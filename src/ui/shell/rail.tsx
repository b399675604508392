import type { ReactElement } from "react";
import { useText } from "../text/use-text.ts";
import { Inspector } from "../panels/inspector.tsx";
import { useNarrow } from "../use-media.ts";
import { Narrator } from "../panels/narrator.tsx";

export function Rail(): ReactElement {
  const { panels } = useText();
  const narrow = useNarrow();
  return (
    <aside className="rail" aria-label={panels.rail}>
      <Narrator />
      {narrow ? null : <Inspector />}
    </aside>
  );
}
