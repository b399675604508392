import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useText } from "../text/use-text.ts";

interface ModalProps {
  readonly title: string;
  readonly description: string;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Modal({ title, description, onClose, foot, className = "dialog", children }: ModalProps): ReactElement {
  const text = useText();
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => holdPage(false), []);
  const giveBack = (event: Event): void => {
    event.preventDefault();
    holdPage(false);
    if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
  };
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className={className} onOpenAutoFocus={() => holdPage(true)} onCloseAutoFocus={giveBack}>
          <div className="dialog-head">
            <div>
              <Dialog.Title className="dialog-title">{title}</Dialog.Title>
              <Dialog.Description className="dialog-description">{description}</Dialog.Description>
            </div>
            <Dialog.Close className="icon-button" aria-label={text.common.close}>
              <X aria-hidden />
            </Dialog.Close>
          </div>
          <div className="dialog-body">{children}</div>
          {foot === undefined ? null : <div className="dialog-foot">{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Nothing behind a dialog can be reached. */
function holdPage(held: boolean): void {
  document.querySelector("#root")?.toggleAttribute("inert", held);
}
