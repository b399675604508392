/** Runs side by side, over the whole page. The run on screen waits behind it as it is. */
import "../styles/compare.css";
import { type ReactElement, useEffect, useState } from "react";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { type Session, appStore } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";
import { Content } from "./content.tsx";
import { NeedsTwo } from "./needs-two.tsx";
import { nameOfRun } from "./names.ts";
import { branchRuns } from "./runs.ts";
import { PairSelect, SubjectSelect, branchPair, branchesOf, offeredBranches } from "./subject.tsx";
import { WithOther } from "./with-other.tsx";
import type { Pair } from "./two.ts";
import { type Subject, comparisonOf } from "./what.ts";

export default function CompareView(): ReactElement | null {
  const words = useCompareText();
  const controller = useController();
  const [{ session, branch, dialog }] = useState(() => appStore.getState());
  const [subject, setSubject] = useState<Subject>(dialog === "diff" ? "branches" : "this");
  const [branches, setBranches] = useState<Pair>(() => branchPair(session, branch));
  const [pair, setPair] = useState<Pair>([0, 1]);
  useEffect(() => controller.player.pause(), [controller]);
  if (session === null) return null;
  const title = subject === "example" ? words.example : session.scenario.title.en;
  const choose = <SubjectSelect subject={subject} choose={setSubject} />;
  return (
    <Modal
      className="dialog compare"
      title={words.titles[subject]}
      description={subject === "this" || subject === "example" ? words.input(title) : title}
      onClose={() => showDialog(null)}
    >
      {subject === "branches" ? (
        <Branches
          session={session}
          branches={branches}
          setBranches={setBranches}
          choose={choose}
          chooseOther={() => setSubject("other")}
        />
      ) : subject === "other" ? (
        <WithOther session={session} branch={branch} choose={choose} />
      ) : (
        <Content
          key={subject}
          compared={comparisonOf(subject, session, branch)}
          pair={pair}
          setPair={setPair}
          head={(runs) => (
            <>
              {choose}
              <PairSelect
                offered={runs.map((run, index) => [index, nameOfRun(run, words)])}
                pair={pair}
                choose={setPair}
              />
            </>
          )}
        />
      )}
    </Modal>
  );
}

interface BranchesProps {
  readonly session: Session;
  /** By their ids. */
  readonly branches: Pair;
  readonly setBranches: (pair: Pair) => void;
  readonly choose: ReactElement;
  readonly chooseOther: () => void;
}

/** Which of the two is A can be changed: the runs and their cursor stay as they are. */
function Branches({ session, branches, setBranches, choose, chooseOther }: BranchesProps): ReactElement {
  if (branchesOf(session).length < 2)
    return (
      <>
        <div className="compare-subject">{choose}</div>
        <NeedsTwo choose={chooseOther} />
      </>
    );
  const [a, b] = branches;
  const ids: Pair = a <= b ? [a, b] : [b, a];
  return (
    <Content
      key={ids.join(" ")}
      compared={branchRuns(session, ids)}
      pair={a <= b ? [0, 1] : [1, 0]}
      setPair={() => setBranches([b, a])}
      head={() => (
        <>
          {choose}
          <PairSelect offered={offeredBranches(session)} pair={branches} choose={setBranches} />
        </>
      )}
    />
  );
}
