/** Which scenario is open; the library, a file, the editor. */
import {
  Check,
  ChevronDown,
  Columns3,
  Download,
  FileJson,
  Link2,
  PencilLine,
  SlidersHorizontal,
  Table2,
  Timer,
} from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, type RefObject, useRef } from "react";
import { MenuContent } from "../controls/menu-content.tsx";
import { library } from "../../scenario/library.ts";
import { editScenario, showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { openFile } from "../open-file.ts";
import { saveReport, saveRestReplies, saveScenario, saveTrace } from "../save-run.ts";
import type { Dialog } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import { openLibrary } from "../with-opening.ts";

export function ScenarioMenu(): ReactElement {
  const { header } = useText();
  const title = useApp((app) => app.session?.scenario.title.en);
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button scenario-button" aria-label={`${header.scenario}: ${title ?? ""}`}>
          <span className="scenario-title">{title ?? header.scenario}</span>
          <ChevronDown aria-hidden />
        </DropdownMenu.Trigger>
        <MenuContent align="start">
          <DropdownMenu.Label className="menu-label">{header.library}</DropdownMenu.Label>
          <LibraryItems />
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item className="menu-item" onSelect={() => file.current?.click()}>
            <FileJson aria-hidden />
            <span className="menu-item-label">{header.openFile}</span>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => editScenario(null)}>
            <PencilLine aria-hidden />
            <span className="menu-item-label">{header.editScenario}</span>
          </DropdownMenu.Item>
          {dialogs(header).map(([dialog, Icon, label]) => (
            <DropdownMenu.Item key={dialog} className="menu-item" onSelect={() => showDialog(dialog)}>
              <Icon aria-hidden />
              <span className="menu-item-label">{label}</span>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-separator" />
          {saves(header).map(([label, saveIt]) => (
            <DropdownMenu.Item key={label} className="menu-item" onSelect={saveIt}>
              <Download aria-hidden />
              <span className="menu-item-label">{label}</span>
            </DropdownMenu.Item>
          ))}
        </MenuContent>
      </DropdownMenu.Root>
      <FileInput input={file} />
    </>
  );
}

function LibraryItems(): ReactElement {
  const controller = useController();
  const open = useApp((app) => app.session?.library ?? null);
  return (
    <>
      {library.map(({ id, title }) => (
        <DropdownMenu.Item key={id} className="menu-item" onSelect={() => void openLibrary(controller, id)}>
          <span className="menu-check">{open === id ? <Check aria-hidden /> : null}</span>
          <span>
            <span className="menu-item-label">{title.en}</span>
            <span className="menu-item-note mono">{id}</span>
          </span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}

/** The menu's entry clicks it. */
function FileInput({ input }: { readonly input: RefObject<HTMLInputElement | null> }): ReactElement {
  const controller = useController();
  return (
    <input
      ref={input}
      type="file"
      accept=".json,application/json"
      hidden
      data-testid="file"
      onChange={(event) => {
        const chosen = event.currentTarget.files?.[0];
        if (chosen !== undefined) void openFile(controller, chosen);
        event.currentTarget.value = "";
      }}
    />
  );
}

function dialogs(header: Text["header"]): [Exclude<Dialog, null>, typeof Table2, string][] {
  return [
    ["configuration", SlidersHorizontal, header.configuration],
    ["compare", Columns3, header.compare],
    ["guarantees", Table2, header.guarantees],
    ["timeouts", Timer, header.timeouts],
    ["share", Link2, header.share],
  ];
}

/** What can be kept of the run on screen. */
function saves(header: Text["header"]): [string, () => void][] {
  return [
    [header.saveReport, saveReport],
    [header.saveTrace, () => void saveTrace()],
    [header.saveRest, () => void saveRestReplies()],
    [header.saveScenario, saveScenario],
  ];
}
