/** How two runs are looked at, from visit to visit. Where the browser keeps nothing it is forgotten. */
export const views = ["sides", "both"] as const;
export type View = (typeof views)[number];

const KEY = "barrierscope.compare";

export function rememberedView(): View {
  try {
    return views.find((view) => view === localStorage.getItem(KEY)) ?? "sides";
  } catch {
    return "sides";
  }
}

export function rememberView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // It lasts as long as the page.
  }
}
