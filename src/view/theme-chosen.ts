/**
 * Themes that somebody has to choose, fetched then. High contrast: pure ground, every graphic at 7:1 or more, no hatches. Colour-safe:
 * task states as lightness steps of two hues (on its way: blue, to its end by force: orange), told apart without red, green
 * or blue as well. Contrasts and distances are computed in the test beside this file.
 */
import type { Tone } from "./machines/presentations.ts";
import type { Hue, Theme } from "./theme.ts";

function same(colour: string): Hue {
  return { fill: colour, edge: colour };
}

export const contrastLight: Theme = {
  name: "light",
  solid: true,
  canvas: "#FFFFFF",
  surface: "#F3F3F3",
  text: "#000000",
  text2: "#262C34",
  text3: "#3F4852",
  line: "#4B525B",
  hairline: "#84888D",
  link: "#0A4DAB",
  focus: "#094CAE",
  danger: "#9D1F15",
  warning: "#714900",
  record: "#1E2630",
  epochs: [
    { fill: "#000A49", numeral: "#FFFFFF" },
    { fill: "#005943", numeral: "#FFFFFF" },
    { fill: "#6900D1", numeral: "#FFFFFF" },
    { fill: "#140000", numeral: "#FFFFFF" },
  ],
  outcomes: {
    OK: { fill: "#145A59", text: "#115B59" },
    DUPLICATE: { fill: "#6A4C00", text: "#6B4B00" },
    LOSS: { fill: "#7E1710", text: "#7E1710" },
    STUCK: { fill: "#332475", text: "#332475" },
  },
  tones: {
    created: same("#1D39C4"),
    scheduled: same("#531DAB"),
    deploying: same("#055B5E"),
    initializing: same("#3749A0"),
    running: same("#215D08"),
    finished: same("#07509E"),
    canceling: same("#744600"),
    canceled: same("#853C00"),
    failed: same("#A40F1B"),
    pending: same("#744600"),
    completed: same("#07509E"),
    muted: same("#4B525B"),
    open: same("#455266"),
    prepared: same("#714900"),
    committed: same("#145A59"),
    aborted: same("#48525D"),
    timedOut: same("#7E1710"),
  },
  load: { idle: "#0F5291", busy: "#A11721", backpressured: "#000000" },
};

export const contrastDark: Theme = {
  name: "dark",
  solid: true,
  canvas: "#000000",
  surface: "#161616",
  text: "#FFFFFF",
  text2: "#D9E0EA",
  text3: "#BAC4D0",
  line: "#9AA3B0",
  hairline: "#606873",
  link: "#8CC8FF",
  focus: "#8CC8FF",
  danger: "#FF8F85",
  warning: "#FFC978",
  record: "#DCE5F0",
  epochs: [
    { fill: "#B6BEF6", numeral: "#000000" },
    { fill: "#46C102", numeral: "#000000" },
    { fill: "#DF949E", numeral: "#000000" },
    { fill: "#FFFFD7", numeral: "#000000" },
  ],
  outcomes: {
    OK: { fill: "#B3F2EC", text: "#B3F2EC" },
    DUPLICATE: { fill: "#FDDF2F", text: "#FDDF2F" },
    LOSS: { fill: "#E9878F", text: "#E9878F" },
    STUCK: { fill: "#A399E6", text: "#A399E6" },
  },
  tones: {
    created: same("#85A5FF"),
    scheduled: same("#BD90EE"),
    deploying: same("#13C2C2"),
    initializing: same("#889EF9"),
    running: same("#52C41A"),
    finished: same("#49A7FF"),
    canceling: same("#FAAD14"),
    canceled: same("#FA8C16"),
    failed: same("#FF7976"),
    pending: same("#FAAD14"),
    completed: same("#49A7FF"),
    muted: same("#9AA3B0"),
    open: same("#9FB0C9"),
    prepared: same("#FFC978"),
    committed: same("#B3F2EC"),
    aborted: same("#9AA4B2"),
    timedOut: same("#E9878F"),
  },
  load: { idle: "#5DB1FF", busy: "#FF797E", backpressured: "#F2F5FA" },
};

/** Tones of tasks and checkpoints; those of transactions are told apart by their letter, as they were. */
type SafeTones = { readonly [T in Tone]?: Hue };

const safeLight: SafeTones = {
  created: { fill: "#E0E3FE", edge: "#898A9B" },
  scheduled: { fill: "#A6B6FC", edge: "#7D89BD" },
  deploying: { fill: "#588BFC", edge: "#5587F4" },
  initializing: same("#0E64CF"),
  running: same("#01418B"),
  finished: same("#00204C"),
  canceling: { fill: "#FEB356", edge: "#B7813E" },
  canceled: same("#C57B00"),
  failed: same("#835000"),
  pending: { fill: "#FEB356", edge: "#B7813E" },
  completed: same("#00204C"),
};

const safeDark: SafeTones = {
  created: { fill: "#06436A", edge: "#44728F" },
  scheduled: { fill: "#00649E", edge: "#1772A7" },
  deploying: same("#1688D1"),
  initializing: same("#4CADFD"),
  running: same("#ABCFFC"),
  finished: same("#EDF4FF"),
  canceling: same("#FFDDCB"),
  canceled: same("#FF9F65"),
  failed: same("#D85F00"),
  pending: same("#FFDDCB"),
  completed: same("#EDF4FF"),
};

export function colourSafe(theme: Theme): Theme {
  return { ...theme, tones: { ...theme.tones, ...(theme.name === "dark" ? safeDark : safeLight) } };
}

/** What is shown instead of a theme. In high contrast there is one set of task colours: no other reaches 7:1. */
export function chosen(theme: Theme, highContrast: boolean, safe: boolean): Theme {
  if (highContrast) return theme.name === "dark" ? contrastDark : contrastLight;
  return safe ? colourSafe(theme) : theme;
}
