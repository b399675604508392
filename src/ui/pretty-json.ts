/** JSON as a person would lay it out: what fits on a line stays on one. */
const WIDTH = 100;

export function prettyJson(value: unknown): string {
  return `${lay(value, "")}\n`;
}

function lay(value: unknown, indent: string): string {
  const line = oneLine(value);
  if (line.length + indent.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const members = Array.isArray(value)
    ? value.map((item: unknown) => inner + lay(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${lay(item, inner)}`);
  return `${open ?? ""}\n${members.join(",\n")}\n${indent}${close ?? ""}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
