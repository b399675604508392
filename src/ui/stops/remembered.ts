/** Whether breakpoints are remembered: without any, nothing of them is fetched. */
export const KEY = "barrierscope.breakpoints";

export function hasBreakpoints(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
