/** Puts the chosen theme's colours on the page; what the system prefers is followed as it changes. */
import { type Theme as Colours, customProperties, dark, light } from "../view/theme.ts";
import type { Theme } from "./settings.ts";
import { appStore } from "./store.ts";

const systemDark = matchMedia("(prefers-color-scheme: dark)");

export function coloursOf(theme: Theme): Colours {
  return theme === "dark" || (theme === "system" && systemDark.matches) ? dark : light;
}

/** Calls `listen` when other colours are to be shown, until the returned function is called. */
export function onColours(listen: (colours: Colours) => void): () => void {
  const tell = (): void => listen(coloursOf(appStore.getState().settings.theme));
  systemDark.addEventListener("change", tell);
  const stop = appStore.subscribe((app) => app.settings.theme, tell);
  return () => {
    systemDark.removeEventListener("change", tell);
    stop();
  };
}

function put(colours: Colours): void {
  const { style, dataset } = document.documentElement;
  for (const [name, value] of Object.entries(customProperties(colours))) style.setProperty(name, value);
  dataset["theme"] = colours.name;
}

export function applyTheme(): () => void {
  put(coloursOf(appStore.getState().settings.theme));
  return onColours(put);
}
