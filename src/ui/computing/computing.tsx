/** How far a run is that takes long to compute, with the way to stop it and to go on; and what a very long run means. */
import "../styles/computing.css";
import { X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { IconButton } from "../controls/icon-button.tsx";
import { useController } from "../controller-context.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useComputingText } from "../text/computing-text.ts";
import { useText } from "../text/use-text.ts";
import { workOf } from "./work.ts";

export function Computing(): ReactElement | null {
  const work = workOf(useApp((app) => app));
  const [closed, setClosed] = useState<unknown>(null);
  if (work === null) return null;
  const { branch } = work;
  if (work.is === "paused") return <Paused branch={branch} />;
  if (work.is !== "thinned") return <Progress branch={branch} share={work.share} judging={work.is === "judging"} />;
  return closed === branch.run ? null : (
    <Thinned branch={branch} apart={work.apart} close={() => setClosed(branch.run)} />
  );
}

interface Of {
  readonly branch: BranchRun;
}

interface ProgressProps extends Of {
  readonly share: number | null;
  readonly judging: boolean;
}

function Progress({ branch, share, judging }: ProgressProps): ReactElement {
  const words = useComputingText();
  const controller = useController();
  return (
    <div className="computing">
      <p>{judging ? words.judging(branch.judged, branch.length) : words.computing(branch.length, clockOf(branch))}</p>
      <progress aria-label={words.title} value={share ?? undefined} />
      <button type="button" className="button small" onClick={() => controller.compute(branch.branch.id, false)}>
        {words.cancel}
      </button>
    </div>
  );
}

function Paused({ branch }: Of): ReactElement {
  const words = useComputingText();
  const controller = useController();
  const { judged, length } = branch;
  return (
    <div className="computing standing">
      <output>{judged > 0 ? words.unchecked(length) : words.paused(length, clockOf(branch))}</output>
      <button type="button" className="button small" onClick={() => controller.compute(branch.branch.id, true)}>
        {words.goOn}
      </button>
    </div>
  );
}

interface ThinnedProps extends Of {
  readonly apart: number;
  readonly close: () => void;
}

function Thinned({ branch, apart, close }: ThinnedProps): ReactElement {
  const { common } = useText();
  return (
    <div className="computing standing">
      <output>{useComputingText().thinned(branch.length, apart)}</output>
      <IconButton label={common.close} onClick={close}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

function clockOf({ run, length }: BranchRun): number {
  return length === 0 ? 0 : run.log.clock(length - 1);
}
