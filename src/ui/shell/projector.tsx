/** Projector mode: what is on the wall besides the stage, the narrator and the playback. Fetched when it is first asked for. */
import "../styles/projector.css";
import { type ReactElement, useEffect, useRef } from "react";
import { toggleProjector } from "../app-actions.ts";
import { useProjectorText } from "../text/projector-text.ts";
import { appStore } from "../store.ts";

export default function Projector(): ReactElement {
  const { leave, keys } = useProjectorText();
  const halo = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.documentElement.dataset["projector"] = "";
    return () => void delete document.documentElement.dataset["projector"];
  }, []);
  useEffect(() => (halo.current === null ? undefined : follow(halo.current)), []);
  return (
    <>
      <div ref={halo} className="projector-halo" aria-hidden hidden />
      <p className="projector-foot">
        <span className="muted">{keys}</span>
        <button type="button" className="button small" onClick={toggleProjector}>
          {leave}
        </button>
      </p>
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Rings the pointer; while L is held it is a laser. Esc leaves, unless it has something else to close. */
function follow(halo: HTMLElement): () => void {
  const move = ({ clientX, clientY, pointerType }: PointerEvent): void => {
    halo.hidden = pointerType === "touch";
    halo.style.translate = `${clientX}px ${clientY}px`;
  };
  const down = (event: KeyboardEvent): void => {
    const { dialog, menu } = appStore.getState();
    if (event.key === "Escape" && dialog === null && menu === null && !event.defaultPrevented) {
      event.preventDefault();
      toggleProjector();
    } else if (event.key.toLowerCase() === "l" && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) {
      halo.hidden = false;
      halo.dataset["laser"] = "";
    }
  };
  const off = (): void => void delete halo.dataset["laser"];
  const up = (event: KeyboardEvent): void => (event.key.toLowerCase() === "l" ? off() : undefined);
  addEventListener("pointermove", move);
  addEventListener("keydown", down, { capture: true });
  addEventListener("keyup", up);
  addEventListener("blur", off);
  return () => {
    removeEventListener("pointermove", move);
    removeEventListener("keydown", down, { capture: true });
    removeEventListener("keyup", up);
    removeEventListener("blur", off);
  };
}
