/** Parts as one description; those that say nothing are left out. */
export function sentence(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(". ");
}
