/** How a failed checkpoint counts: `failures` in a row by now. */
export function failuresWords(failures: number, tolerable: number): string {
  return `It counts: ${failures} in a row, ${tolerable} tolerable${failures > tolerable ? ", so the job fails over" : ""}.`;
}
