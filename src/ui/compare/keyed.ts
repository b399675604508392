/** A key of the comparison: in a list to choose from it is the list's own. */
export function keyed(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    act();
  };
}
