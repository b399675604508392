import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactElement, type ReactNode, useEffect } from "react";
import { useText } from "../text/use-text.ts";

interface ModalProps {
  readonly title: string;
  readonly description: string;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

export function Modal({ title, description, onClose, foot, children }: ModalProps): ReactElement {
  const text = useText();
  useEffect(() => {
    const page = document.querySelector<HTMLElement>("#root");
    page?.toggleAttribute("inert", true);
    return () => page?.removeAttribute("inert");
  }, []);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog">
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
