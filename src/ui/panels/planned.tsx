/** Faults that stand in the scenario: each an object that says when it acts, can be moved and can be taken out. */
import "../styles/faults.css";
import { Pencil, X } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { later } from "../later.tsx";
import { useController } from "../controller-context.ts";
import { plannedName } from "../faults/planned-name.ts";
import { NoEffectNote } from "../faults/no-effect-note.tsx";
import { unplan } from "../faults/plan.ts";
import { useApp } from "../use-app.ts";
import { usePlanText } from "../text/plan-text.ts";
import { useText } from "../text/use-text.ts";

const PlannedEditor = later(() => import("../faults/planned-editor.tsx"), { failed: ({ close }) => close() });

export function Planned(): ReactElement | null {
  const text = useText();
  const words = usePlanText();
  const controller = useController();
  const session = useApp((app) => app.session);
  const [edited, setEdited] = useState<number | null>(null);
  const faults = session?.scenario.faults ?? [];
  if (session === null || faults.length === 0) return null;
  return (
    <section className="planned" aria-label={words.list}>
      <h3 className="small-title">{words.list}</h3>
      <ul>
        {faults.map((fault, index) => {
          const name = plannedName(fault, text, words);
          return (
            <li key={`${name} ${index}`} className="planned-fault">
              <span aria-hidden>◇</span> {name} <NoEffectNote session={session} index={index} />
              <Tool label={words.edit(name)} act={() => setEdited(index)}>
                <Pencil aria-hidden />
              </Tool>
              <Tool label={words.remove(name)} act={() => unplan(controller, index)}>
                <X aria-hidden />
              </Tool>
            </li>
          );
        })}
      </ul>
      {edited === null || edited >= faults.length ? null : (
        <PlannedEditor
          key={`${session.number} ${edited}`}
          session={session}
          index={edited}
          close={() => setEdited(null)}
        />
      )}
    </section>
  );
}

interface ToolProps {
  readonly label: string;
  readonly act: () => void;
  readonly children: ReactNode;
}

function Tool({ label, act, children }: ToolProps): ReactElement {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={act}>
      {children}
    </button>
  );
}
