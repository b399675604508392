/** Puts the chosen theme's colours on the page; what the system prefers is followed as it changes. */
import { type Theme as Colours, customProperties, dark, light } from "../view/theme.ts";
import { appStore } from "./store.ts";

const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** What is shown instead of light and dark, where somebody has chosen more than that (`chosen-colours.ts`). */
type Instead = (colours: Colours) => Colours;
let instead: Instead = (colours) => colours;
const listeners = new Set<() => void>();

export function coloursNow(): Colours {
  const { theme } = appStore.getState().settings;
  return instead(theme === "dark" || (theme !== "light" && systemDark.matches) ? dark : light);
}

/** Calls `listen` when other colours are to be shown, until the returned function is called. */
export function onColours(listen: (colours: Colours) => void): () => void {
  const tell = (): void => listen(coloursNow());
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

export function recolour(by: Instead): void {
  instead = by;
  tellAll();
}

function tellAll(): void {
  for (const tell of listeners) tell();
}

function put(colours: Colours): void {
  const { style, dataset } = document.documentElement;
  for (const [name, value] of Object.entries(customProperties(colours))) style.setProperty(name, value);
  dataset["theme"] = colours.name;
}

export function applyTheme(): void {
  put(coloursNow());
  onColours(put);
  systemDark.addEventListener("change", tellAll);
  appStore.subscribe((app) => app.settings.theme, tellAll);
}
