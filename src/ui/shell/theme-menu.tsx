import { Check, Contrast, Monitor, Moon, Settings, Sun } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement } from "react";
import { MenuContent } from "../controls/menu-content.tsx";
import { changeSettings, showDialog } from "../app-actions.ts";
import { themes } from "../setting-choices.ts";
import type { Theme } from "../settings.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";

const icons = { system: Monitor, light: Sun, dark: Moon, contrast: Contrast } as const;

export function ThemeMenu(): ReactElement {
  const { header } = useText();
  const theme = useApp((app) => app.settings.theme);
  const Icon = icons[theme];
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label={`${header.theme}: ${header.themes[theme]}`}>
        <Icon aria-hidden />
      </DropdownMenu.Trigger>
      <MenuContent align="end" className="menu narrow">
        <DropdownMenu.RadioGroup
          value={theme}
          onValueChange={(value) => changeSettings({ theme: themes.find((each) => each === value) ?? "system" })}
        >
          {themes.map((each) => (
            <ThemeItem key={each} theme={each} />
          ))}
        </DropdownMenu.RadioGroup>
        <DropdownMenu.Separator className="menu-separator" />
        <DropdownMenu.Item className="menu-item" onSelect={() => showDialog("settings")}>
          <Settings aria-hidden />
          <span className="menu-item-label">{header.settings}</span>
        </DropdownMenu.Item>
      </MenuContent>
    </DropdownMenu.Root>
  );
}

function ThemeItem({ theme }: { readonly theme: Theme }): ReactElement {
  const { header } = useText();
  const Icon = icons[theme];
  return (
    <DropdownMenu.RadioItem value={theme} className="menu-item">
      <Icon aria-hidden />
      <span className="menu-item-label">{header.themes[theme]}</span>
      <DropdownMenu.ItemIndicator className="menu-check">
        <Check aria-hidden />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}
