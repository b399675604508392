import type { ReactElement } from "react";
import { useText } from "../text/use-text.ts";
import { Inspector } from "../panels/inspector.tsx";
import { useWithoutRail } from "../use-media.ts";
import { Narrator } from "../panels/narrator.tsx";
import { Resize } from "./resize.tsx";

export function Rail(): ReactElement {
  const { panels } = useText();
  const withoutRail = useWithoutRail();
  return (
    <aside className="rail" aria-label={panels.rail}>
      {withoutRail ? null : <Resize of="rail" />}
      <Narrator />
      {withoutRail ? null : <Inspector />}
    </aside>
  );
}
