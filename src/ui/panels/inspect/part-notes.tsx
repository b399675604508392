import type { ReactElement } from "react";
import type { SnapshotView } from "../../../projection/views.ts";
import { clockTime } from "../../format.ts";
import { useText } from "../../text/use-text.ts";

/** How a subtask takes part in a checkpoint, what it stores of the data in flight, and why it declined. */
export function PartNotes({ part }: { readonly part: SnapshotView }): ReactElement {
  const { stageText, panels } = useText();
  const { inspector } = panels;
  return (
    <>
      {part.convertedAt >= 0 ? (
        <span className="tag">{inspector.converted(clockTime(part.convertedAt))}</span>
      ) : part.unaligned ? (
        <span className="tag">{inspector.unaligned}</span>
      ) : null}
      {part.finished ? <span className="tag">{inspector.hadFinished}</span> : null}
      {part.inFlight.length === 0 ? null : (
        <span className="muted"> {inspector.inFlight(part.inFlight.length, part.persistedAt >= 0)}</span>
      )}
      {part.declined === null ? null : <p className="failure-note">{stageText.reason(part.declined)}</p>}
    </>
  );
}
