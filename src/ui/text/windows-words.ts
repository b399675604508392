/** How the crash windows are opened, in the places that open them. */
export const windowsWords = {
  open: "Crash windows",
  openOf: (what: string) => `Crash windows of ${what}`,
  hint: "Double click or Enter: its crash windows",
} as const;
