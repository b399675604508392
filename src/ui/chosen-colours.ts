/** High contrast and colour-safe task colours, fetched with the first choice of one. */
import "./styles/contrast.css";
import type { Theme } from "../view/theme.ts";
import type { Settings } from "./settings.ts";
import { appStore } from "./store.ts";
import { recolour } from "./theme.ts";

const systemContrast = matchMedia("(prefers-contrast: more)");
const asItIs = (colours: Theme): Theme => colours;

/** Shows what is chosen, until the returned function is called. */
export function followChosenColours(): () => void {
  const follow = (): void => void show(appStore.getState().settings);
  follow();
  systemContrast.addEventListener("change", follow);
  const stops = [
    appStore.subscribe((app) => app.settings.theme, follow),
    appStore.subscribe((app) => app.settings.taskColours, follow),
    () => systemContrast.removeEventListener("change", follow),
  ];
  return () => stops.forEach((stop) => stop());
}

export function isHighContrast({ theme }: Pick<Settings, "theme">): boolean {
  return theme === "contrast" || (theme === "system" && systemContrast.matches);
}

async function show(settings: Settings): Promise<void> {
  const high = isHighContrast(settings);
  const safe = settings.taskColours === "safe";
  if (high || safe) {
    const { chosen } = await import("../view/theme-chosen.ts");
    // Something else may have been chosen meanwhile.
    if (appStore.getState().settings !== settings) return;
    recolour((colours) => chosen(colours, high, safe));
  } else recolour(asItIs);
  document.documentElement.dataset["contrast"] = high ? "more" : "";
}
