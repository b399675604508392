/** What can go wrong at the chosen element, opened where the element is. */
import { Check, CircleX, HardDrive, MailX, Play, Power, Snail, TimerOff, Unplug, Zap } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, useRef, useState } from "react";
import type { Stop } from "../../view/stage/elements.ts";
import { askBefore, showSweep } from "../app-actions.ts";
import { elementName } from "../element-name.ts";
import { useController } from "../controller-context.ts";
import type { FaultItem } from "../fault-item.ts";
import { faultItems } from "../fault-menu-items.ts";
import { clockTime } from "../format.ts";
import { impossibleItems } from "./impossible.ts";
import { type Instant, instantsOf } from "./instants.ts";
import { plan } from "./plan.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type FaultMenu as OpenMenu, branchOf, appStore, graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { focusElement, isOn } from "../stage-anchor.ts";
import type { Text } from "../text/en.ts";
import { useFaultLogs, usePlanText } from "../text/plan-text.ts";
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

/** `instant` `null`: now. */
interface When {
  readonly instant: Instant | null;
  readonly every: boolean;
}

function Menu({ menu, graph }: { readonly menu: OpenMenu; readonly graph: ExecutionGraph }): ReactElement | null {
  const text = useText();
  const controller = useController();
  const [when, setWhen] = useState<When>({ instant: null, every: false });
  /** The focus is to go elsewhere than back. */
  const leads = useRef<"sweep" | "dialog" | null>(null);
  const close = (): void => {
    appStore.setState({ menu: null });
    if (menu.wasPlaying && leads.current !== "dialog") controller.player.play();
  };
  // What a new job would start from is shown first.
  const choose = (chosen: Command): void => {
    if (when.instant !== null) return plan(controller, chosen, when.instant, when.every);
    if (chosen.do !== "restore" && chosen.do !== "rescale") return controller.inject(chosen);
    leads.current = "dialog";
    askBefore(chosen);
  };
  const toSweep = (): void => {
    leads.current = "sweep";
    showSweep();
  };
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
          aria-label={title}
          // A long menu scrolls, and the keyboard must get there too.
          tabIndex={0}
          onInteractOutside={(event) => {
            // The finger that opened it by a long press is still to leave the element.
            if (isOn(event.target, menu.element)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (leads.current === null) giveBack(menu);
          }}
        >
          <DropdownMenu.Label className="menu-title">{title}</DropdownMenu.Label>
          <Items element={menu.element} graph={graph} planned={when.instant !== null} choose={choose} />
          <SweepItem choose={toSweep} />
          <WhenItems instants={instantsOf(graph, menu.element)} when={when} onWhen={setWhen} />
          <Foot when={when} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemsProps {
  readonly element: Stop;
  readonly graph: ExecutionGraph;
  /** They are to wait for an instant. */
  readonly planned: boolean;
  readonly choose: (command: Command) => void;
}

function Items({ element, graph, planned, choose }: ItemsProps): ReactElement[] {
  const text = useText();
  const words = usePlanText();
  const moment = useMoment();
  const items = moment === null ? [] : faultItems(graph, element, circumstances(moment), text);
  return [...items, ...impossibleItems(element, words)].map((item) => (
    <Item key={item.key} item={item} planned={planned} choose={choose} />
  ));
}

function giveBack({ element, back }: OpenMenu): void {
  if (back?.isConnected === true) back.focus({ preventScroll: true });
  else focusElement(element);
}

/** When it acts. */
function Foot({ when: { instant, every } }: { readonly when: When }): ReactElement {
  const { faults } = useText();
  const words = usePlanText();
  const time = useApp((app) => clockTime(branchOf(app)?.run.log.clock(app.step) ?? 0));
  return (
    <p className="menu-foot">
      {instant === null ? faults.when(time) : words.foot(words.instants[instant.name], every)}
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
  readonly planned: boolean;
  readonly choose: (command: Command) => void;
}

function Item({ item, planned, choose }: ItemProps): ReactElement {
  const words = usePlanText();
  const log = useFaultLogs()[item.key];
  const Icon = icons[item.icon];
  const submits = item.command?.do === "restore" || item.command?.do === "rescale";
  const command = planned && submits ? null : item.command;
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

interface WhenProps {
  readonly instants: readonly Instant[];
  readonly when: When;
  readonly onWhen: (when: When) => void;
}

/** Now, or at a named instant, once or every time: chosen before the fault, so the menu stays open. */
function WhenItems({ instants, when, onWhen }: WhenProps): ReactElement {
  const words = usePlanText();
  const stay = (event: Event): void => event.preventDefault();
  const choose = (name: string): void => {
    const instant = instants.find((each) => each.name === name) ?? null;
    onWhen({ instant, every: instant !== null && when.every });
  };
  return (
    <>
      <div className="menu-separator" />
      <DropdownMenu.Label className="menu-label">{words.when}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={when.instant?.name ?? "now"} onValueChange={choose}>
        {(["now", ...instants.map(({ name }) => name)] as const).map((name) => (
          <DropdownMenu.RadioItem key={name} value={name} className="menu-item compact" onSelect={stay}>
            <span className="menu-check">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            <span className="menu-item-label">{name === "now" ? words.now : words.instants[name]}</span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.CheckboxItem
        className="menu-item compact"
        checked={when.every}
        disabled={when.instant === null}
        onCheckedChange={(every) => onWhen({ ...when, every })}
        onSelect={stay}
      >
        <span className="menu-check">
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
        </span>
        <span className="menu-item-label">{words.everyTime}</span>
      </DropdownMenu.CheckboxItem>
    </>
  );
}
