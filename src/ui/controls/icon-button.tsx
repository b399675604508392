import { Tooltip } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { shownKeys } from "../key-map.ts";
import { bindings } from "../keyboard.ts";
import type { BindingName } from "../text/en-keys.ts";
import { useApp } from "../use-app.ts";

/** The first key of a binding, as it is now. */
function useKey(name: BindingName | undefined): string | undefined {
  const map = useApp((app) => app.settings.keys);
  const binding = bindings.find((each) => each.name === name);
  return binding === undefined ? undefined : shownKeys(binding, map).split(" ")[0];
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "type"> {
  readonly label: string;
  /** The key that does the same. */
  readonly shortcut?: string;
  /** Or the binding that does: its key may be another. */
  readonly keyOf?: BindingName;
  readonly children: ReactNode;
}

export function IconButton(props: IconButtonProps): ReactElement {
  const { label, shortcut: fixed, keyOf, children, className, ...rest } = props;
  const own = useKey(keyOf);
  const shortcut = fixed ?? own;
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
