/** The run on screen beside one that is saved, or one of the library. */
import { ArrowLeftRight } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import type { BranchId } from "../../worker/port.ts";
import { Choice } from "../controls/choice.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import type { Session } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";
import { Content } from "./content.tsx";
import { type Offered, offeredRuns, runOffered } from "./other-run.ts";
import { branchRuns } from "./runs.ts";
import type { Pair } from "./two.ts";

interface WithOtherProps {
  readonly session: Session;
  readonly branch: BranchId;
  readonly choose: ReactElement;
}

export function WithOther({ session, branch, choose }: WithOtherProps): ReactElement {
  const words = useCompareText();
  const [offered] = useState(offeredRuns);
  const [id, setId] = useState(offered[0]?.id ?? "");
  const [pair, setPair] = useState<Pair>([0, 1]);
  const runs = useMemo(() => {
    const chosen = offered.find((each) => each.id === id);
    const other = chosen === undefined ? null : runOffered(chosen);
    return [...branchRuns(session, [branch]), ...(other === null ? [] : [other])];
  }, [offered, id, session, branch]);
  const head = (
    <>
      {choose}
      <IconButton label={words.swap} shortcut="S" onClick={() => setPair(([a, b]) => [b, a])}>
        <ArrowLeftRight aria-hidden />
      </IconButton>
      <OtherSelect offered={offered} id={id} choose={setId} />
    </>
  );
  return <Content key={id} compared={runs} pair={pair} setPair={setPair} head={() => head} />;
}

interface OtherSelectProps {
  readonly offered: readonly Offered[];
  readonly id: string;
  readonly choose: (id: string) => void;
}

function OtherSelect({ offered, id, choose }: OtherSelectProps): ReactElement {
  const words = useCompareText();
  const froms = (["saved", "library"] as const).filter((from) => offered.some((each) => each.from === from));
  return (
    <Choice label={words.otherRun} value={id} choose={choose}>
      {froms.map((from) => (
        <optgroup key={from} label={words.otherFrom[from]}>
          {offered
            .filter((each) => each.from === from)
            .map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
        </optgroup>
      ))}
    </Choice>
  );
}
