import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useText } from "../text/use-text.ts";
import { giveFocusBack } from "./focus.ts";

interface ModalProps {
  readonly title: string;
  readonly description: string;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly className?: string;
  /** Called when it is gone and the focus is where it was. */
  readonly afterwards?: () => void;
  readonly children: ReactNode;
}

export function Modal(props: ModalProps): ReactElement {
  const { title, description, onClose, foot, className = "dialog", afterwards, children } = props;
  const text = useText();
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => holdPage(false), []);
  const giveBack = (event: Event): void => {
    event.preventDefault();
    giveFocusBack(before);
    afterwards?.();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className={className} onOpenAutoFocus={begin} onCloseAutoFocus={giveBack}>
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

/** What is marked gets the focus, else the first control. */
function begin(event: Event): void {
  holdPage(true);
  const first = event.target instanceof Element ? event.target.querySelector<HTMLElement>("[data-first]") : null;
  if (first === null) return;
  event.preventDefault();
  first.focus();
}

/** Nothing behind a dialog can be reached. */
function holdPage(held: boolean): void {
  document.querySelector("#root")?.toggleAttribute("inert", held);
}
