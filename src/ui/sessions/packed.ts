/** Text as few characters that a link can have: deflated, in base64 of the URL alphabet. */

import { finish, mix } from "../../base/hash.ts";

/** A link that unpacks to more than this was not made by this program. */
const LONGEST = 4_000_000;

export async function packed(text: string): Promise<string> {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes ?? []) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A packed text with its length and a hash before it, so that one that lost something on its way is known. */
export function sealed(characters: string): string {
  return `${characters.length.toString(36)}.${hashOf(characters)}.${characters}`;
}

/** What a sealed text is worth. `missing`: how many characters it has too few, `0` if something else was changed. */
export type Opened = { readonly characters: string } | { readonly missing: number };

/** Links had no seal once: such a one is taken as it is. */
export function unsealed(text: string): Opened {
  const [length = "", hash = "", ...rest] = text.split(".");
  const characters = rest.join(".");
  if (rest.length === 0) return text.includes(".") ? { missing: 0 } : { characters: text };
  if (length === characters.length.toString(36) && hashOf(characters) === hash) return { characters };
  return { missing: Math.max(0, Number.parseInt(length, 36) - characters.length) || 0 };
}

function hashOf(characters: string): string {
  let hash = characters.length;
  for (let place = 0; place < characters.length; place++) hash = mix(hash, characters.charCodeAt(place));
  return (finish(hash) >>> 0).toString(36);
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
