/** How well a name fits: the lower the better; `null`: it does not. Each word typed must be the begin of one of its words. */
export function fit(name: string, beside: string, typed: string): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = name.toLowerCase();
  const parts = `${lower} ${beside.toLowerCase()}`.split(/[\s,;:/()>-]+/);
  let worst = lower.startsWith(words.join(" ")) ? 0 : 1;
  for (const word of words) {
    if (parts.some((part) => part.startsWith(word))) continue;
    if (!lower.includes(word)) return null;
    worst = 2;
  }
  return worst;
}
