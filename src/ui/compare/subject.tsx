/** What is compared: modes of one run, two branches, the example; and which two of the runs are A and B. */
import type { ReactElement } from "react";
import { ArrowLeftRight } from "lucide-react";
import type { BranchId } from "../../worker/port.ts";
import { nameOfBranch } from "../branches.ts";
import { Choice } from "../controls/choice.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import type { Session } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";
import type { Pair } from "./two.ts";
import { type Subject, subjects } from "./what.ts";

interface SubjectProps {
  readonly subject: Subject;
  readonly choose: (subject: Subject) => void;
}

export function SubjectSelect({ subject, choose }: SubjectProps): ReactElement {
  const words = useCompareText();
  return (
    <Choice
      label={words.subject}
      value={subject}
      choose={(value) => choose(subjects.find((each) => each === value) ?? "this")}
    >
      {subjects.map((each) => (
        <option key={each} value={each}>
          {words.subjects[each]}
        </option>
      ))}
    </Choice>
  );
}

/** Branches that were not put away. */
export function branchesOf({ branches }: Session): BranchId[] {
  return branches.filter(({ removed }) => !removed).map(({ branch: { id } }) => id);
}

/** The branch that is shown beside the one that it left, or the last one beside the run itself. */
export function branchPair(session: Session | null, branch: BranchId): Pair {
  const parent = session?.branches[branch]?.branch.parent ?? null;
  if (parent !== null) return [parent, branch];
  return [0, session === null ? 0 : (branchesOf(session).at(-1) ?? 0)];
}

interface PairProps {
  /** By the number that stands for it. */
  readonly offered: readonly (readonly [number: number, name: string])[];
  readonly pair: Pair;
  readonly choose: (pair: Pair) => void;
}

export function PairSelect({ offered, pair: [a, b], choose }: PairProps): ReactElement {
  const words = useCompareText();
  const options = offered.map(([number, name]) => (
    <option key={number} value={number}>
      {name}
    </option>
  ));
  return (
    <>
      <Choice label={words.branchA} value={String(a)} choose={(value) => choose([Number(value), b])}>
        {options}
      </Choice>
      <IconButton label={words.swap} shortcut="S" onClick={() => choose([b, a])}>
        <ArrowLeftRight aria-hidden />
      </IconButton>
      <Choice label={words.branchB} value={String(b)} choose={(value) => choose([a, Number(value)])}>
        {options}
      </Choice>
    </>
  );
}

export const offeredBranches = (session: Session): PairProps["offered"] =>
  branchesOf(session).map((id) => [id, nameOfBranch(session, id)]);
