import { DragnetError } from "./errors.js";
import { FileBytes } from "./file-bytes.js";

/** Options for opening a table. */
export interface OpenOptions {
  /**
   * The most bytes of decoded blocks to keep in memory; 16 MiB by default. The block used last is kept
   * whatever its size.
   */
  readonly cacheBytes?: number;
}

/** Options for opening a table on a server. */
export interface FetchOptions extends OpenOptions {
  /** A signal that ends the opening; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_CACHE_BYTES = 16 * 2 ** 20;

/** Checks the options for opening a table, and returns the size of the cache. */
export function cacheBytesOf({ cacheBytes = DEFAULT_CACHE_BYTES }: OpenOptions): number {
  if (cacheBytes >= 0) return cacheBytes;
  throw new DragnetError("argument", `cacheBytes: expected a number of at least 0, found ${cacheBytes}`);
}

/** Checks the bytes of a table in memory, and returns them as a file. */
export function fileOf(bytes: Uint8Array | ArrayBuffer): FileBytes {
  return FileBytes.whole(toBytes(bytes));
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
export async function fetchBytes(url: string | URL, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
  let answer: Response;
  try {
    answer = await fetch(url, signal === undefined ? {} : { signal });
    if (answer.ok) return await answer.arrayBuffer();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new DragnetError("fetch", `${url}: expected an answer, found none`, { cause });
  }
  throw new DragnetError("fetch", `${url}: expected success, found status ${answer.status}`);
}
