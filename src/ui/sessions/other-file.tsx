/** Where a link or a file could not be read (E-23): the run comes as a file, chosen or pasted. */
import { ClipboardPaste, FolderOpen } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { useController } from "../controller-context.ts";
import { openFile } from "../open-file.ts";
import { appStore } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";

export default function OtherFile(): ReactElement {
  const words = sessionsText();
  const controller = useController();
  const input = useRef<HTMLInputElement>(null);
  const open = (file: File | undefined): void => {
    if (file === undefined) return;
    appStore.setState({ refused: null });
    void openFile(controller, file);
  };
  const paste = async (): Promise<void> => {
    try {
      open(new File([await navigator.clipboard.readText()], words.pasted));
    } catch {
      const problem = { path: "", value: "", message: words.noClipboard };
      appStore.setState({ refused: { name: words.pasted, text: "", problems: [problem] } });
    }
  };
  return (
    <>
      <button type="button" className="button small" onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden />
        {words.openFile}
      </button>
      <button type="button" className="button small" onClick={() => void paste()}>
        <ClipboardPaste aria-hidden />
        {words.paste}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,.yaml,.yml"
        hidden
        aria-label={words.openFile}
        onChange={(event) => open(event.currentTarget.files?.[0])}
      />
    </>
  );
}
