/** Text as few characters that a link can have: deflated, in base64 of the URL alphabet. */

/** A link that unpacks to more than this was not made by this program. */
const LONGEST = 4_000_000;

export async function packed(text: string): Promise<string> {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes ?? []) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** `null`: it is not what `packed` made. */
export async function unpacked(characters: string): Promise<string | null> {
  try {
    const binary = atob(characters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const whole = await through(new Blob([bytes]), new DecompressionStream("deflate-raw"), LONGEST);
    return whole === null ? null : new TextDecoder("utf-8", { fatal: true }).decode(whole);
  } catch {
    return null;
  }
}

/** What comes out of a stream; `null`: more than `most` bytes. */
async function through(
  blob: Blob,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array | null> {
  const reader = blob.stream().pipeThrough<Uint8Array>(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length <= most) continue;
    await reader.cancel();
    return null;
  }
  const whole = new Uint8Array(length);
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
