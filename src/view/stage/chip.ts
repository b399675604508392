/** How large the chip is that stands for a piece of state on its way. */
export const CHIP_HEIGHT = 17;

/** By the mean width of a character: a frame is made without a page. */
export function chipWidth(label: string): number {
  return label.length * 6.6 + 10;
}
