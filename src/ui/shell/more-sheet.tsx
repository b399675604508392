/** What has no tab of its own on a phone: the other panels, wider steps, and everything by name. */
import { type ReactElement, useRef } from "react";
import { changeSettings, showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { timeTabs } from "../panels/dock-panels.ts";
import { dockTabs } from "../setting-choices.ts";
import { stepBy } from "../steps.ts";
import { useApp } from "../use-app.ts";
import { usePhoneText } from "../text/phone-text.ts";
import { useText } from "../text/use-text.ts";

interface Choice {
  readonly name: string;
  readonly current?: boolean;
  readonly act: () => void;
}

export function MoreSheet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { more } = usePhoneText();
  const { panels, transport } = useText();
  const controller = useController();
  const { front, dock } = useApp((app) => app.settings);
  const sign = useApp((app) => app.sweepSign);
  /** Done when the sheet is gone and the focus is where it was. */
  const chosen = useRef<() => void>(() => undefined);
  const close = (act: () => void): void => {
    chosen.current = act;
    onClose();
  };
  const choices = dockTabs
    .filter((tab) => tab !== "selected" && !timeTabs.includes(tab))
    .map((tab) => ({
      name: tab === "sweep" && sign !== null ? `${panels.tabs.sweep} ${sign}` : panels.tabs[tab],
      current: front === "panel" && tab === dock,
      act: () => changeSettings({ dock: tab }),
    }));
  const steps = [
    { name: transport.checkpointBack, act: () => stepBy(controller, "checkpoint", -1) },
    { name: transport.failureBack, act: () => stepBy(controller, "failure", -1) },
    { name: transport.failureForward, act: () => stepBy(controller, "failure", 1) },
  ];
  return (
    <Modal
      title={more.title}
      description={more.description}
      className="dialog sheet"
      onClose={onClose}
      afterwards={() => chosen.current()}
    >
      <Choices title={more.panels} choices={choices} onChoose={close} />
      <Choices
        title={more.steps}
        choices={[...steps, { name: more.find, act: () => showDialog("palette") }]}
        onChoose={close}
      />
    </Modal>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (act: () => void) => void;
}

function Choices({ title, choices, onChoose }: ChoicesProps): ReactElement {
  return (
    <section className="sheet-part" aria-label={title}>
      <h3 className="small-title">{title}</h3>
      <ul className="sheet-list">
        {choices.map(({ name, current, act }) => (
          <li key={name}>
            <button type="button" className="button" aria-current={current} onClick={() => onChoose(act)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
