import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Controller } from "../controller.ts";
import { openLinked } from "../with-opening.ts";
import { AppRoot } from "./app-root.tsx";

/** Puts the app in the place of what stands in `root`. */
export function showApp(controller: Controller, root: Element): void {
  createRoot(root).render(
    <StrictMode>
      <AppRoot controller={controller} />
    </StrictMode>,
  );
  const openLink = (): void => {
    if (location.hash !== "") void openLinked(controller, location.hash);
  };
  openLink();
  addEventListener("hashchange", openLink);
}
