/** What happens, and the selected thing: below one another, or in turn where there is little room. */
import type { ReactElement } from "react";
import { changeSettings } from "../app-actions.ts";
import { Inspector } from "../panels/inspector.tsx";
import { Narrator } from "../panels/narrator.tsx";
import { railTabs } from "../setting-choices.ts";
import { useApp } from "../use-app.ts";
import { usePhone, useSharedRail } from "../use-media.ts";
import { useText } from "../text/use-text.ts";
import { Resize } from "./resize.tsx";

export function Rail(): ReactElement {
  const { panels } = useText();
  const phone = usePhone();
  const shared = useSharedRail() && !phone;
  const front = useApp((app) => app.settings.rail);
  return (
    <aside className="rail" aria-label={panels.rail} data-front={shared ? front : undefined}>
      {phone ? null : <Resize of="rail" />}
      {shared ? <RailTabs /> : null}
      <Narrator />
      {phone ? null : <Inspector />}
    </aside>
  );
}

function RailTabs(): ReactElement {
  const { narrator, tabs } = useText().panels;
  const front = useApp((app) => app.settings.rail);
  const words = { narrator: narrator.title, inspector: tabs.selected };
  return (
    <div className="rail-tabs">
      {railTabs.map((each) => (
        <button
          key={each}
          type="button"
          className="tab"
          aria-pressed={each === front}
          onClick={() => changeSettings({ rail: each })}
        >
          {words[each]}
        </button>
      ))}
    </div>
  );
}
