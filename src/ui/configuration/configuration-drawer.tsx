/**
 * Flink's configuration of the scenario: as a form, as `config.yaml`, and what is in force. What is wrong with a value, or
 * what Flink makes of it, stands at its key. What is changed acts at the start of a job: in a new run,
 * or in a branch of this one, where the job is started again from here (`foot.tsx`).
 */
import "../styles/configuration.css";
import { Tabs } from "radix-ui";
import { type ReactElement, useMemo, useReducer } from "react";
import { later } from "../later.tsx";
import { showDialog } from "../app-actions.ts";
import { Modal } from "../controls/modal.tsx";
import { factsOf } from "../facts.ts";
import { type Session, branchOf } from "../store.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { useApp } from "../use-app.ts";
import { useMoment } from "../use-view.ts";
import { type Checked, type Draft, checked, differences, draftOf, ofFlink, withConfig } from "./draft.ts";
import { Effective } from "./effective.tsx";
import { Foot } from "./foot.tsx";
import { Form } from "./form.tsx";
import { isKafka } from "./kafka.ts";
import { longestOf } from "./longest.ts";
import type { Longest } from "./look.ts";
import { Yaml } from "./yaml-view.tsx";

const Java = later(() => import("./java-view.tsx"));

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
      <Body session={session} before={before} draft={draft} state={state} dispatch={dispatch} />
    </Modal>
  );
}

interface BodyProps {
  readonly session: Session;
  readonly before: Draft;
  readonly draft: Draft;
  readonly state: Checked;
  readonly dispatch: (what: Edit) => void;
}

function Body({ session, before, draft, state, dispatch }: BodyProps): ReactElement {
  const longest = useLongest();
  const moment = useMoment();
  const keyGroups = [...new Set(moment?.graph.vertices.map(({ maxParallelism }) => maxParallelism))];
  const change = (to: Draft, key: string): void => dispatch({ do: "change", to, key });
  const scenario = state.scenario ?? session.scenario;
  return (
    <Tabs.Root defaultValue="form">
      <Views />
      <Tabs.Content value="form">
        <Form
          draft={draft}
          before={before}
          state={state}
          scenario={scenario}
          longest={longest}
          keyGroups={keyGroups}
          change={change}
        />
      </Tabs.Content>
      <Tabs.Content value="yaml">
        <Yaml draft={ofFlink(draft)} state={state} change={(to) => change({ ...draftOfKafka(draft), ...to }, "yaml")} />
      </Tabs.Content>
      <Tabs.Content value="java">
        <Java draft={draft} scenario={scenario} />
      </Tabs.Content>
      <Tabs.Content value="effective">
        <Effective scenario={session.scenario} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

/** Of the run that is shown. */
function useLongest(): Longest | null {
  const branch = useApp(branchOf);
  return branch === null ? null : longestOf(branch.run.log, factsOf(branch.run).timeline.checkpoints);
}

function draftOfKafka(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([key]) => isKafka(key)));
}

function Views(): ReactElement {
  const words = useConfigurationText();
  return (
    <Tabs.List className="configuration-views" aria-label={words.viewsOf}>
      {Object.entries(words.views).map(([each, name]) => (
        <Tabs.Trigger key={each} value={each} className="configuration-view">
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
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
