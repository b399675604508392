/**
 * Idle time folded or at its full length, in every run that is open. Only presentation time changes: steps, simulated time
 * and the cursor stay what they are.
 */
import { changeSettings } from "./app-actions.ts";
import { playhead } from "./playhead.ts";
import { samePlace } from "./same-place.ts";
import { appStore, branchOf } from "./store.ts";

export function toggleFoldIdle(): void {
  changeSettings({ foldIdle: !appStore.getState().settings.foldIdle });
}

/** Keeps all runs as the setting says, until the returned function is called. */
export function followFolding(): () => void {
  fold();
  return appStore.subscribe(fold);
}

function fold(): void {
  const app = appStore.getState();
  const { session, settings } = app;
  if (session === null || session.branches.every(({ run }) => run.clock.foldIdle === settings.foldIdle)) return;
  const shown = branchOf(app)?.run;
  const before = shown?.clock;
  for (const { run } of session.branches) run.fold(settings.foldIdle);
  if (shown !== undefined && before !== undefined)
    playhead.setState({ presentation: samePlace(before, shown.clock, playhead.getState().presentation) });
  appStore.setState({ session: { ...session, branches: session.branches.map((branch) => ({ ...branch })) } });
}
