/** Keeps a record for comparison, or lets it go. */
import { Pin, PinOff } from "lucide-react";
import type { ReactElement } from "react";
import { useStore } from "zustand";
import { usePassportText } from "../text/passport-text.ts";
import { MOST_PINNED, askedStore, pinRecord } from "./asked.ts";

export function PinButton({ record, name }: { readonly record: number; readonly name: string }): ReactElement {
  const words = usePassportText();
  const pinned = useStore(askedStore, (asked) => asked.pinned);
  const isPinned = pinned.includes(record);
  return (
    <button
      type="button"
      className="button small"
      aria-pressed={isPinned}
      aria-label={words.pinOf(name)}
      disabled={!isPinned && pinned.length >= MOST_PINNED}
      onClick={() => pinRecord(record, !isPinned)}
    >
      {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
      {isPinned ? words.unpin : pinned.length >= MOST_PINNED ? words.full(MOST_PINNED) : words.pin}
    </button>
  );
}
