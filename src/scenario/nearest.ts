/** The known word that a person most likely meant. */

/** ` Did you mean "x"?`, or nothing where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? "" : ` Did you mean "${near}"?`;
}

/** The same, followed by the first of the known words: ` Did you mean "x"? There are: x, y.` */
export function oneOfNames(word: string, known: readonly string[]): string {
  const rest = known.length > 20 ? " …" : "";
  return `${didYouMean(word, known)} There ${known.length === 1 ? "is" : "are"}: ${known.slice(0, 20).join(", ") || "none"}${rest}.`;
}

/** The word nearest to `word` by Levenshtein distance, if it is near at all: no more than a third of its letters are others. */
function nearest(word: string, known: readonly string[]): string | null {
  const wanted = word.slice(0, 100).toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const steps = distance(wanted, candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** How many letters must be added, dropped or changed to make `b` of `a` (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
