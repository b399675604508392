/** What a menu of the header shows, below what opens it. */
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { isFocusFree } from "./focus.ts";

interface MenuContentProps {
  readonly align: "start" | "end";
  readonly className?: string;
  readonly children: ReactNode;
}

export function MenuContent({ align, className = "menu", children }: MenuContentProps): ReactElement {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        className={className}
        align={align}
        sideOffset={6}
        collisionPadding={8}
        onCloseAutoFocus={(event) => {
          if (!isFocusFree()) event.preventDefault();
        }}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}
