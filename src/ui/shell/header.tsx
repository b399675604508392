import { CircleHelp } from "lucide-react";
import type { ReactElement } from "react";
import { showDialog } from "../app-actions.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { useText } from "../text/use-text.ts";
import { DeliverySelect } from "./delivery-select.tsx";
import { JobChip } from "./job-chip.tsx";
import { Logo } from "./logo.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { ScenarioMenu } from "./scenario-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

export function Header(): ReactElement {
  const text = useText();
  return (
    <header className="header">
      <h1 className="brand">
        <Logo />
        <span className="brand-name">{text.product}</span>
      </h1>
      <ScenarioMenu />
      <DeliverySelect />
      <JobChip />
      <div className="header-space" />
      <OutcomeBadge />
      <ThemeMenu />
      <IconButton label={text.header.help} keyOf="help" onClick={() => showDialog("help")}>
        <CircleHelp aria-hidden />
      </IconButton>
    </header>
  );
}
