/** Is there something to say of a run's computing? Of what takes shorter than a person wonders, nothing is said. */
import { useEffect, useState } from "react";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";

const SOON = 1000;

export function useWorking(): boolean {
  const busy = useApp(({ pending }) => pending > 0);
  const told = useApp((app) => {
    const branch = branchOf(app);
    return branch !== null && (branch.paused || branch.run.stageViews.thinnedTo !== null);
  });
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(busy), busy ? SOON : 0);
    return () => clearTimeout(timer);
  }, [busy]);
  return told || (busy && long);
}
