/** How the crash windows are opened, in the places that open them. */
export const windowsWords = {
  open: "Crash windows",
  hint: "Double click or Enter: its crash windows",
} as const;
