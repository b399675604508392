/** What can be done with the selected element, beside it on the stage. */
import { Zap } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { elementName } from "../element-name.ts";
import { canFail } from "../fault-menu-items.ts";
import { elementBox, openMenuAtElement } from "../stage-anchor.ts";
import { useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export function FailAction(): ReactElement | null {
  const text = useText();
  const selection = useApp((app) => app.selection);
  const session = useApp((app) => app.session);
  const menu = useApp((app) => app.menu);
  const button = useRef<HTMLButtonElement>(null);
  const shown = session !== null && menu === null && canFail(selection);

  useEffect(() => {
    if (!shown) return undefined;
    const place = (): void => {
      const area = button.current?.parentElement?.getBoundingClientRect();
      const box = elementBox(selection);
      if (button.current === null || area === undefined || box === null) return;
      button.current.style.left = `${box.left - area.left + box.width / 2}px`;
      button.current.style.top = `${box.bottom - area.top - 6}px`;
    };
    place();
    // The stage pans, zooms and is laid out anew without telling.
    let request = requestAnimationFrame(function follow() {
      place();
      request = requestAnimationFrame(follow);
    });
    return () => cancelAnimationFrame(request);
  }, [shown, selection]);

  if (!shown) return null;
  return (
    <button
      ref={button}
      type="button"
      className="button small danger fail-action"
      aria-haspopup="menu"
      aria-label={text.stage.failElement(elementName(session.graph, selection, text))}
      onClick={() => openMenuAtElement(selection)}
    >
      <Zap aria-hidden />
      {text.stage.fail}
    </button>
  );
}
