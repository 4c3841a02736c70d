/** At least the characters of base64url text that a deflated byte takes, header and padding included. */
const TEXT_SHARE = 1.4;

/** Returns the data of a link: a version byte and the deflated bytes, in base64url. */
export async function linkData(version: number, bytes: Uint8Array): Promise<string> {
  const parts = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const deflated = new Uint8Array(await new Response(parts).arrayBuffer());
  let text = String.fromCharCode(version);
  for (let at = 0; at < deflated.length; at += 4096)
    text += String.fromCharCode(...deflated.subarray(at, at + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Returns the deflated bytes in the data of a link. Throws an error if they are not of this version, or
 * longer than `most` bytes can be, before anything of that size is made.
 */
export function linkDataBytes(data: string, version: number, most: number): Uint8Array {
  const limit = Math.ceil((most + 64) * TEXT_SHARE);
  if (data.length > limit) {
    throw new Error(`link: expected at most ${limit} characters of data, found ${data.length}`);
  }
  const odd = /[^A-Za-z0-9_-]/.exec(data);
  if (odd !== null) {
    throw new Error(`link: expected letters, digits, - and _ as data, found ${JSON.stringify(odd[0])}`);
  }
  if (data.length < 3 || data.length % 4 === 1) throw new Error("link: expected data, found a part of it");
  const text = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
  const found = text.charCodeAt(0);
  if (found !== version) {
    throw new Error(`link: expected data of version ${version}, found version ${found}`);
  }
  return Uint8Array.from({ length: text.length - 1 }, (_, at) => text.charCodeAt(at + 1));
}

/** Returns inflated bytes. Throws an error as soon as they are more than `most`. */
export async function inflated(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("link: expected whole data, found that it is damaged or cut short");
    });
    if (done) break;
    length += value.length;
    if (length > most) {
      void reader.cancel().catch(() => undefined);
      throw new Error(`link: expected data of at most ${most} bytes, found more`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
