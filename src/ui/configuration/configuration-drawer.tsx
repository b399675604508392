/**
 * Flink's configuration of the scenario: as a form, as `config.yaml`, and what is in force. What is wrong with a value, or
 * what Flink makes of it, stands at its key. What is changed acts in a new run, or where a job that is over is submitted anew.
 */
import "../styles/configuration.css";
import { Play, RotateCcw, Undo2 } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactElement, useMemo, useReducer } from "react";
import { readJson } from "../../scenario/parse.ts";
import { submissionCommand } from "../../scenario/written-submission.ts";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import type { Controller } from "../controller.ts";
import { Modal } from "../controls/modal.tsx";
import type { Session } from "../store.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { useApp } from "../use-app.ts";
import { type Moment, isOver, useMoment } from "../use-view.ts";
import { type Checked, type Draft, checked, differences, draftOf, withConfig } from "./draft.ts";
import { Effective } from "./effective.tsx";
import { Form } from "./form.tsx";
import { Yaml } from "./yaml-view.tsx";

export default function ConfigurationDrawer(): ReactElement | null {
  const session = useApp((app) => app.session);
  return session === null ? null : <Drawer key={session.number} session={session} />;
}

function Drawer({ session }: { readonly session: Session }): ReactElement {
  const words = useConfigurationText();
  const before = useMemo(() => draftOf(session.text), [session]);
  const [{ draft, past }, dispatch] = useReducer(edit, { draft: before, past: [], last: null });
  const state = useMemo(() => checked(withConfig(session.text, draft)), [session, draft]);
  const foot = (
    <Foot
      session={session}
      changes={differences(before, draft)}
      draft={draft}
      state={state}
      undo={past.length === 0 ? null : () => dispatch({ do: "undo" })}
      discard={() => dispatch({ do: "change", to: before, key: "discard" })}
    />
  );
  return (
    <Modal
      className="dialog configuration"
      title={words.title}
      description={words.description(session.scenario.flink)}
      onClose={() => showDialog(null)}
      foot={foot}
    >
      <Tabs.Root defaultValue="form">
        <Tabs.List className="configuration-views" aria-label={words.viewsOf}>
          {Object.entries(words.views).map(([each, name]) => (
            <Tabs.Trigger key={each} value={each} className="configuration-view">
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="form">
          <Form
            draft={draft}
            before={before}
            state={state}
            version={session.scenario.flink}
            change={(to, key) => dispatch({ do: "change", to, key })}
          />
        </Tabs.Content>
        <Tabs.Content value="yaml">
          <Yaml draft={draft} state={state} change={(to) => dispatch({ do: "change", to, key: "yaml" })} />
        </Tabs.Content>
        <Tabs.Content value="effective">
          <Effective scenario={session.scenario} />
        </Tabs.Content>
      </Tabs.Root>
    </Modal>
  );
}

interface Edited {
  readonly draft: Draft;
  readonly past: readonly Draft[];
  /** What was changed last: typing on in one field is one step back. */
  readonly last: string | null;
}

type Edit = { readonly do: "undo" } | { readonly do: "change"; readonly to: Draft; readonly key: string };

function edit({ draft, past, last }: Edited, what: Edit): Edited {
  if (what.do === "undo") return { draft: past.at(-1) ?? draft, past: past.slice(0, -1), last: null };
  if (differences(draft, what.to).length === 0) return { draft: what.to, past, last };
  return { draft: what.to, past: what.key === last ? past : [...past, draft], last: what.key };
}

interface FootProps {
  readonly session: Session;
  readonly changes: readonly string[];
  readonly draft: Draft;
  readonly state: Checked;
  readonly undo: (() => void) | null;
  readonly discard: () => void;
}

function Foot({ session, changes, draft, state, undo, discard }: FootProps): ReactElement {
  const words = useConfigurationText();
  const controller = useController();
  const moment = useMoment();
  const nothing = changes.length === 0;
  const over = moment !== null && isOver(moment.view);
  return (
    <div className="configuration-foot">
      <output className="configuration-changes">{words.changes(changes.length)}</output>
      <button type="button" className="button small" disabled={undo === null} onClick={() => undo?.()}>
        <Undo2 aria-hidden />
        {words.undo}
      </button>
      <button type="button" className="button small" disabled={nothing} onClick={discard}>
        {words.discard}
      </button>
      {over ? (
        <button
          type="button"
          className="button"
          title={words.restartHint}
          disabled={nothing || state.scenario === null}
          onClick={() => submitAnew(controller, session, moment, draft, changes)}
        >
          <RotateCcw aria-hidden />
          {words.restart}
        </button>
      ) : null}
      <button
        type="button"
        className="button primary"
        disabled={nothing || state.scenario === null}
        onClick={() => runAgain(controller, state)}
      >
        <Play aria-hidden />
        {words.run}
      </button>
    </div>
  );
}

/** A new run, shown at the same moment. */
function runAgain(controller: Controller, { scenario, text }: Checked): void {
  if (scenario === null) return;
  showDialog(null);
  controller.open({ scenario, text, library: null }, { keepTime: true, play: false });
}

/** The job that is over is submitted anew in a branch: what changes of its configuration is part of the operation. */
function submitAnew(
  controller: Controller,
  session: Session,
  { shelf }: Moment,
  draft: Draft,
  changes: readonly string[],
): void {
  const document = readJson(session.text);
  const config = Object.fromEntries(changes.flatMap((key) => (key in draft ? [[key, draft[key] ?? ""]] : [])));
  const from = shelf.findLast(({ deletedAt, damage }) => deletedAt < 0 && damage !== "all")?.path ?? "none";
  const read = submissionCommand(document.ok ? document.value : null, [], { do: "restore", from, config });
  if (!read.ok) return;
  showDialog(null);
  controller.inject(read.value);
}
