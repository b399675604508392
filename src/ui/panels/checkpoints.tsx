/** Flink's "Checkpoints" tab at the cursor: overview, history, summary and configuration; and each checkpoint by subtask. */
import "../styles/checkpoints.css";
import { Flag } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactElement, useState } from "react";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import { checkpointStatistics } from "../../projection/checkpoint-stats.ts";
import { triggerCheckpoint } from "../keyboard.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { useCheckpointsText } from "../text/checkpoints-text.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { Configuration } from "./checkpoint/configuration.tsx";
import { History } from "./checkpoint/history.tsx";
import { Choice, InTime } from "./checkpoint/in-time.tsx";
import { ShelfTable } from "./checkpoint/shelf.tsx";
import { Overview } from "./checkpoint/overview.tsx";
import { Summary } from "./checkpoint/summary.tsx";

type ViewName = keyof ReturnType<typeof useCheckpointsText>["views"];

export default function Checkpoints(): ReactElement | null {
  const moment = useMoment();
  const words = useCheckpointsText();
  const [view, setView] = useState<ViewName>("history");
  /** The checkpoint that is looked at by subtask; `null`: the newest. */
  const [chosen, setChosen] = useState<number | null>(null);
  if (moment === null) return null;
  const statistics = checkpointStatistics(moment.view);
  const showInTime = (id: number): void => {
    setChosen(id);
    setView("subtasks");
  };
  const contents: { readonly [V in ViewName]: ReactElement } = {
    overview: <Overview statistics={statistics} show={showInTime} />,
    history:
      statistics.history.length === 0 ? (
        <Empty moment={moment} />
      ) : (
        <History statistics={statistics} moment={moment} show={showInTime} />
      ),
    subtasks: <InTime moment={moment} chosen={chosen} choose={setChosen} />,
    summary: <Summary statistics={statistics} />,
    shelf: <ShelfTable moment={moment} />,
    configuration: <Configuration scenario={moment.scenario} />,
  };
  return (
    <Tabs.Root className="checkpoints" value={view} onValueChange={(value) => setView(value as ViewName)}>
      <div className="checkpoint-bar">
        <Tabs.List className="checkpoint-views" aria-label={words.viewsOf}>
          {Object.entries(words.views).map(([each, name]) => (
            <Tabs.Trigger key={each} value={each} className="checkpoint-view">
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {view === "history" ? <span className="muted">{words.countsOf(statistics.counts)}</span> : null}
        {view === "subtasks" ? <Choice moment={moment} chosen={chosen} choose={setChosen} /> : null}
      </div>
      {Object.entries(contents).map(([each, content]) => (
        <Tabs.Content key={each} value={each} className="checkpoint-content">
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** Says when the first one comes, and lets it come now. */
function Empty({ moment }: { readonly moment: Moment }): ReactElement {
  const words = useCheckpointsText();
  const controller = useController();
  const first = firstTrigger(moment.log);
  return (
    <div className="empty">
      <p>
        {words.empty} {first === null ? words.off : words.firstAt(clockTime(moment.log.clock(first)))}
      </p>
      {first === null ? null : (
        <div className="quiet-actions">
          <button type="button" className="button small" onClick={() => controller.goTo(first)}>
            <Flag aria-hidden />
            {words.goThere}
          </button>
          <button type="button" className="button small" onClick={() => triggerCheckpoint(controller)}>
            {words.triggerNow}
          </button>
        </div>
      )}
    </div>
  );
}

function firstTrigger(log: EventLog): number | null {
  for (let step = 0; step < log.length; step++) if (log.type(step) === EventNumber.CheckpointTriggered) return step;
  return null;
}
