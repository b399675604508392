import { Tooltip } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "type"> {
  readonly label: string;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly children: ReactNode;
}

export function IconButton({ label, shortcut, children, className, ...rest }: IconButtonProps): ReactElement {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          aria-label={label}
          aria-keyshortcuts={shortcut}
          className={className === undefined ? "icon-button" : `icon-button ${className}`}
          {...rest}
        >
          {children}
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {label}
          {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
