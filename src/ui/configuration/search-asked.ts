/** What the drawer's search begins with, where something leads there. */
let asked = "";

export function askForKeys(query: string): void {
  asked = query;
}

/** Taken once. */
export function keysAsked(): string {
  const query = asked;
  asked = "";
  return query;
}
