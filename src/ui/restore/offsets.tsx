/** Where each input partition is read on, and how much of it is read again. */
import type { ReactElement } from "react";
import type { RestorePreview } from "../../projection/restore-preview.ts";
import { useRestoreText } from "../text/restore-text.ts";

interface OffsetsProps {
  readonly preview: RestorePreview;
  /** The savepoint is still to be taken. */
  readonly atLeast: boolean;
}

export function Offsets({ preview, atLeast }: OffsetsProps): ReactElement {
  const words = useRestoreText();
  return (
    <>
      <table className="table dry-run-table">
        <caption>{words.offsets}</caption>
        <thead>
          <tr>
            <th scope="col">{words.partition}</th>
            <th scope="col">{words.offset}</th>
            <th scope="col">{words.again}</th>
          </tr>
        </thead>
        <tbody>
          {preview.offsets.map(({ partition, offset, readAgain }) => (
            <tr key={partition}>
              <td className="mono">{partition}</td>
              <td>{atLeast ? words.atLeast(offset) : offset}</td>
              <td className={readAgain > 0 ? "warn" : undefined}>{words.records(readAgain)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {preview.inFlight === 0 ? null : <p className="dry-run-note">{words.inFlight(preview.inFlight)}</p>}
    </>
  );
}
