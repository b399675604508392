/** The breakpoints, how often this run hits each, and the ways to its hits. */
import { ChevronLeft, ChevronRight, Trash2 } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { nextOf, previousOf } from "../../projection/phases.ts";
import { useController } from "../controller-context.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useStopsText } from "../text/stops-text.ts";
import { type Breakpoint, hitsOf, remove, setOn, useBreakpoints } from "./breakpoints.ts";
import { nameOfCondition } from "./condition-name.ts";
import { toHit } from "./stop-keys.ts";
import { Table } from "../controls/table.tsx";

export function BreakpointList({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useStopsText();
  const controller = useController();
  const list = useBreakpoints();
  return (
    <section className="stops-list" aria-label={words.list}>
      {list.length === 0 ? (
        <p className="empty">{words.none}</p>
      ) : (
        <>
          <div className="panel-bar">
            <button type="button" className="button small" onClick={() => toHit(controller, -1)}>
              <ChevronLeft aria-hidden />
              {words.toBefore}
            </button>
            <button
              type="button"
              className="button small"
              aria-keyshortcuts="Shift+B"
              onClick={() => toHit(controller, 1)}
            >
              {words.toNext}
              <ChevronRight aria-hidden />
            </button>
          </div>
          <Table caption={words.list} columns={words.columns}>
            {list.map((breakpoint) => (
              <Row key={breakpoint.id} breakpoint={breakpoint} branch={branch} />
            ))}
          </Table>
        </>
      )}
    </section>
  );
}

function Row({ breakpoint, branch }: { readonly breakpoint: Breakpoint; readonly branch: BranchRun }): ReactElement {
  const words = useStopsText();
  const step = useApp((app) => app.panelStep);
  const stopped = useApp((app) => app.stopped);
  const name = nameOfCondition(breakpoint);
  const hits = hitsOf(branch.run, breakpoint);
  return (
    <tr aria-current={(stopped?.step === step && hits.includes(step)) || undefined}>
      <td>
        <input
          type="checkbox"
          className="stops-on"
          aria-label={words.on(name)}
          checked={breakpoint.on}
          onChange={(event) => setOn(breakpoint.id, event.currentTarget.checked)}
        />
      </td>
      <td className="stops-condition">{name}</td>
      <td>{words.hits(hits.length)}</td>
      <td className="stops-go">
        <ToHit label={words.beforeOf(name)} target={previousOf(hits, step)}>
          <ChevronLeft aria-hidden />
          {words.before}
        </ToHit>
        <ToHit label={words.nextOf(name)} target={nextOf(hits, step)}>
          {words.next}
          <ChevronRight aria-hidden />
        </ToHit>
      </td>
      <td>
        <button
          type="button"
          className="icon-button"
          aria-label={words.remove(name)}
          onClick={() => remove(breakpoint.id)}
        >
          <Trash2 aria-hidden />
        </button>
      </td>
    </tr>
  );
}

interface ToHitProps {
  readonly label: string;
  /** `null`: there is none that way. */
  readonly target: number | null;
  readonly children: ReactNode;
}

function ToHit({ label, target, children }: ToHitProps): ReactElement {
  const controller = useController();
  const go = (): void => (target === null ? undefined : controller.goTo(target));
  return (
    <button type="button" className="button small" aria-label={label} aria-disabled={target === null} onClick={go}>
      {children}
    </button>
  );
}
