/** What can go wrong at the chosen element, opened where the element is. */
import "../styles/faults.css";
import { CircleX, HardDrive, MailX, Play, Power, Snail, TimerOff, Unplug, Zap } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, useRef, useState } from "react";
import type { Stop } from "../../view/stage/elements.ts";
import { askBefore, showSweep } from "../app-actions.ts";
import { elementName } from "../element-name.ts";
import { useController } from "../controller-context.ts";
import { isFocusFree } from "../controls/focus.ts";
import type { FaultItem } from "../fault-item.ts";
import { faultItems } from "../fault-menu-items.ts";
import { clockTime } from "../format.ts";
import { impossibleItems } from "./impossible.ts";
import { instantsOf } from "./instants.ts";
import { plan } from "./plan.ts";
import { Percent, isTyping } from "./percent.tsx";
import { type When, isWrong, now, probabilityOf } from "./when.ts";
import { WhenItems } from "./when-items.tsx";
import type { Command } from "../../scenario/scenario.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type FaultMenu as OpenMenu, branchOf, appStore, graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { focusElement, isOn } from "../stage-anchor.ts";
import type { Text } from "../text/en.ts";
import { useFaultLogs } from "../text/fault-logs.ts";
import { usePlanText } from "../text/plan-text.ts";
import { useText } from "../text/use-text.ts";
import { circumstances, useMoment } from "../use-view.ts";

const icons = {
  exception: CircleX,
  process: Power,
  stall: Snail,
  message: MailX,
  transaction: TimerOff,
  operation: Play,
  storage: HardDrive,
  network: Unplug,
} as const;

export default function FaultMenu(): ReactElement | null {
  const menu = useApp((app) => app.menu);
  const graph = useApp(graphOf);
  return menu === null || graph === null ? null : <Menu menu={menu} graph={graph} />;
}

function Menu({ menu, graph }: { readonly menu: OpenMenu; readonly graph: ExecutionGraph }): ReactElement | null {
  const text = useText();
  const [when, setWhen] = useState<When>(now);
  const { close, choose, toSweep, leads } = useChoices(menu, when);
  const title = titleOf(graph, menu.element, text);
  return (
    <DropdownMenu.Root modal={false} open onOpenChange={(open) => (open ? undefined : close())}>
      <DropdownMenu.Trigger className="menu-anchor" style={{ left: menu.x, top: menu.y }} aria-hidden tabIndex={-1} />
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu fault-menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          {...beside}
          aria-label={title}
          // A long menu scrolls, and the keyboard must get there too.
          tabIndex={0}
          onInteractOutside={(event) => {
            // The finger that opened it by a long press is still to leave the element.
            if (isOn(event.target, menu.element)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (leads.current === null && isFocusFree()) giveBack(menu);
          }}
        >
          <Entries
            element={menu.element}
            graph={graph}
            when={when}
            onWhen={setWhen}
            choose={choose}
            toSweep={toSweep}
          />
          {when.percent === null ? null : <Percent when={when} onWhen={setWhen} />}
          <Foot when={when} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** What becomes of the menu, and of what is chosen in it. */
function useChoices(menu: OpenMenu, when: When) {
  const controller = useController();
  /** The focus is to go elsewhere than back. */
  const leads = useRef<"sweep" | "dialog" | null>(null);
  const close = (): void => {
    appStore.setState({ menu: null });
    if (menu.wasPlaying && leads.current !== "dialog") controller.player.play();
  };
  // What a new job would start from is shown first.
  const choose = (chosen: Command): void => {
    if (when.instant !== null)
      return plan(controller, chosen, when.instant, { every: when.every, probability: probabilityOf(when) });
    if (chosen.do !== "restore" && chosen.do !== "rescale") return controller.inject(chosen);
    leads.current = "dialog";
    // The dialog gives back what it finds: the item that leads to it is gone by then.
    giveBack(menu);
    askBefore(chosen);
  };
  const toSweep = (): void => {
    leads.current = "sweep";
    showSweep();
  };
  return { close, choose, toSweep, leads };
}

/** Beside the entries there is a number to type, which no menu may hold: what holds both is a dialog. */
const beside = { role: "dialog", "aria-orientation": undefined, "aria-labelledby": undefined } as const;

interface EntriesProps extends ItemsProps {
  readonly onWhen: (when: When) => void;
  readonly toSweep: () => void;
}

function Entries({ element, graph, when, onWhen, choose, toSweep }: EntriesProps): ReactElement {
  const title = titleOf(graph, element, useText());
  return (
    <div
      role="menu"
      aria-label={title}
      // The pointer on its way to a number that is typed takes the focus from nobody.
      onPointerMoveCapture={(event) => (isTyping() ? event.stopPropagation() : undefined)}
    >
      <DropdownMenu.Label className="menu-title">{title}</DropdownMenu.Label>
      <Items element={element} graph={graph} when={when} choose={choose} />
      <SweepItem choose={toSweep} />
      <WhenItems instants={instantsOf(graph, element)} when={when} onWhen={onWhen} />
    </div>
  );
}

interface ItemsProps {
  readonly element: Stop;
  readonly graph: ExecutionGraph;
  readonly when: When;
  readonly choose: (command: Command) => void;
}

function Items({ element, graph, when, choose }: ItemsProps): ReactElement[] {
  const text = useText();
  const words = usePlanText();
  const moment = useMoment();
  const items = moment === null ? [] : faultItems(graph, element, circumstances(moment), text);
  return [...items, ...impossibleItems(element, words)].map((item) => (
    <Item key={item.key} item={item} when={when} choose={choose} />
  ));
}

function giveBack({ element, back }: OpenMenu): void {
  if (back?.isConnected === true) back.focus({ preventScroll: true });
  else focusElement(element);
}

/** When it acts. */
function Foot({ when }: { readonly when: When }): ReactElement {
  const { instant, every } = when;
  const { faults } = useText();
  const words = usePlanText();
  const time = useApp((app) => clockTime(branchOf(app)?.run.log.clock(app.step) ?? 0));
  return (
    <p className="menu-foot">
      {instant === null ? faults.when(time) : words.foot(words.instants[instant.name], every, probabilityOf(when))}
    </p>
  );
}

function titleOf(graph: ExecutionGraph, element: Stop, text: Text): string {
  const { jobManager, title } = text.faults;
  return element.kind === "jobManager" ? jobManager : title(elementName(graph, element, text));
}

/** Not this element alone, and not only now. */
function SweepItem({ choose }: { readonly choose: () => void }): ReactElement {
  const { sweep } = useText().faults;
  return (
    <>
      <div className="menu-separator" />
      <DropdownMenu.Item className="menu-item fault" onSelect={choose}>
        <Zap aria-hidden />
        <span>
          <span className="menu-item-label">{sweep.label}</span>
          <span className="menu-item-note">{sweep.note}</span>
        </span>
      </DropdownMenu.Item>
    </>
  );
}

interface ItemProps {
  readonly item: FaultItem;
  readonly when: When;
  readonly choose: (command: Command) => void;
}

function Item({ item, when, choose }: ItemProps): ReactElement {
  const words = usePlanText();
  const log = useFaultLogs()[item.key];
  const Icon = icons[item.icon];
  const submits = item.command?.do === "restore" || item.command?.do === "rescale";
  const planned = when.instant !== null;
  const command = (planned && submits) || isWrong(when) ? null : item.command;
  return (
    <DropdownMenu.Item
      className={item.icon === "operation" ? "menu-item" : "menu-item fault"}
      disabled={command === null}
      onSelect={() => (command === null ? undefined : choose(command))}
    >
      <Icon aria-hidden />
      <span>
        <span className="menu-item-label">{item.label}</span>
        <span className="menu-item-note">{planned && submits ? words.onlyNow : item.note}</span>
        {log === undefined || command === null ? null : <span className="menu-item-log">{log}</span>}
      </span>
    </DropdownMenu.Item>
  );
}
