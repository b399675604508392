/** Whether the browser keeps runs: without any, nothing that brings them back is fetched. */
export const KEY = "barrierscope.runs";

export function hasRuns(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
