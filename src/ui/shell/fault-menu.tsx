/** What can go wrong at the chosen element, opened where the element is. */
import { CircleX, HardDrive, MailX, Play, Power, Snail, TimerOff, Unplug, Zap } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, useRef } from "react";
import type { Stop } from "../../view/stage/elements.ts";
import { askBefore, showSweep } from "../app-actions.ts";
import { elementName } from "../element-name.ts";
import { useController } from "../controller-context.ts";
import { type FaultItem, faultItems } from "../fault-menu-items.ts";
import { clockTime } from "../format.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type FaultMenu as OpenMenu, branchOf, appStore, graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { focusElement, isOn } from "../stage-anchor.ts";
import type { Text } from "../text/en.ts";
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

export function FaultMenu(): ReactElement | null {
  const menu = useApp((app) => app.menu);
  const graph = useApp(graphOf);
  return menu === null || graph === null ? null : <Menu menu={menu} graph={graph} />;
}

function Menu({ menu, graph }: { readonly menu: OpenMenu; readonly graph: ExecutionGraph }): ReactElement | null {
  const text = useText();
  const controller = useController();
  const moment = useMoment();
  const items = moment === null ? [] : faultItems(graph, menu.element, circumstances(moment), text);
  /** The focus is to go elsewhere than back. */
  const leads = useRef<"sweep" | "dialog" | null>(null);
  const close = (): void => {
    appStore.setState({ menu: null });
    if (menu.wasPlaying && leads.current !== "dialog") controller.player.play();
  };
  // What a new job would start from is shown first.
  const choose = (chosen: Command): void => {
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
          {items.map((item) => (
            <Item key={item.key} item={item} choose={choose} />
          ))}
          <SweepItem choose={toSweep} />
          <Foot />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function giveBack({ element, back }: OpenMenu): void {
  if (back?.isConnected === true) back.focus({ preventScroll: true });
  else focusElement(element);
}

/** When it acts. */
function Foot(): ReactElement {
  const { faults } = useText();
  const time = useApp((app) => clockTime(branchOf(app)?.run.log.clock(app.step) ?? 0));
  return <p className="menu-foot">{faults.when(time)}</p>;
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

function Item({
  item,
  choose,
}: {
  readonly item: FaultItem;
  readonly choose: (command: Command) => void;
}): ReactElement {
  const Icon = icons[item.icon];
  const { command } = item;
  return (
    <DropdownMenu.Item
      className={item.icon === "operation" ? "menu-item" : "menu-item fault"}
      disabled={command === null}
      onSelect={() => (command === null ? undefined : choose(command))}
    >
      <Icon aria-hidden />
      <span>
        <span className="menu-item-label">{item.label}</span>
        <span className="menu-item-note">{item.note}</span>
      </span>
    </DropdownMenu.Item>
  );
}
