import { DragnetError } from "./errors.js";

/** Options for opening a table. */
export interface OpenOptions {
  /**
   * The most bytes of decoded blocks to keep in memory; 16 MiB by default. The block used last is kept
   * whatever its size.
   */
  readonly cacheBytes?: number;
}

const DEFAULT_CACHE_BYTES = 16 * 2 ** 20;

/** Checks the arguments of `fromBytes`, and returns a view of the bytes and the size of the cache. */
export function openArguments(
  bytes: Uint8Array | ArrayBuffer,
  options: OpenOptions,
): { view: Uint8Array; cacheBytes: number } {
  const { cacheBytes = DEFAULT_CACHE_BYTES } = options;
  if (!(cacheBytes >= 0)) {
    throw new DragnetError("argument", `cacheBytes: expected a number of at least 0, found ${cacheBytes}`);
  }
  return { view: toBytes(bytes), cacheBytes };
}

function toBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // `instanceof` would not recognise a buffer that comes from another window or worker; its tag does.
  const tag = Object.prototype.toString.call(bytes);
  if (tag === "[object ArrayBuffer]") return new Uint8Array(bytes);
  throw new DragnetError("argument", `bytes: expected a Uint8Array or an ArrayBuffer, found ${tag}`);
}

/**
 * Fetches the bytes at an address; throws a {@link DragnetError} of kind `fetch` unless the status is a
 * success.
 */
export async function fetchBytes(url: string | URL): Promise<ArrayBuffer> {
  let answer: Response;
  try {
    answer = await fetch(url);
    if (answer.ok) return await answer.arrayBuffer();
  } catch (cause) {
    throw new DragnetError("fetch", `${url}: expected an answer, found none`, { cause });
  }
  throw new DragnetError("fetch", `${url}: expected success, found status ${answer.status}`);
}
