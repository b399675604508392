/** Whether the browser keeps runs, or this tab what it showed: without, nothing that brings them back is fetched. */
export const KEY = "barrierscope.runs";
export const MOMENT_KEY = "barrierscope.moment";

export function hasRuns(): boolean {
  try {
    return localStorage.getItem(KEY) !== null || sessionStorage.getItem(MOMENT_KEY) !== null;
  } catch {
    return false;
  }
}
