/** Opens the crash windows of a checkpoint or a transaction; they are fetched then. */
import { Microscope } from "lucide-react";
import { type ReactElement, useState } from "react";
import { later } from "../later.tsx";
import { windowsWords } from "../text/windows-words.ts";

export const Windows = later(() => import("./windows-dialog.tsx"), { failed: ({ close }) => close() });

interface WindowsProps {
  /** Where it is triggered or begins. */
  readonly step: number;
}

/** `of`: among others, whose windows these are; it is an icon then. */
export function WindowsButton({ step, of }: WindowsProps & { readonly of?: string }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={of === undefined ? "button small" : "icon-button"}
        aria-haspopup="dialog"
        aria-label={of === undefined ? undefined : windowsWords.openOf(of)}
        onClick={() => setOpen(true)}
      >
        <Microscope aria-hidden />
        {of === undefined ? windowsWords.open : null}
      </button>
      {open ? <Windows step={step} close={() => setOpen(false)} /> : null}
    </>
  );
}
