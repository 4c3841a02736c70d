import { Cache } from "./cache.js";
import { DragnetError } from "./errors.js";
import { FileBytes } from "./file-bytes.js";

/** Options for opening a table. */
export interface OpenOptions {
  /** The cache in which the table keeps decoded blocks; {@link Cache.shared} by default. */
  readonly cache?: Cache | undefined;
}

/** Options for opening a table on a server. */
export interface FetchOptions extends OpenOptions {
  /** A signal that ends the opening; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks the options for opening a table, and returns the cache. */
export function cacheOf({ cache = Cache.shared }: OpenOptions): Cache {
  if (cache instanceof Cache) return cache;
  throw new DragnetError("argument", `cache: expected a Cache, found ${typeof cache}`);
}

/** The bytes of a table: a part of memory, or all of a buffer, which threads may share. */
export type TableBytes = Uint8Array | ArrayBuffer | SharedArrayBuffer;

/** Checks the bytes of a table in memory, and returns them as a file. */
export function fileOf(bytes: TableBytes): FileBytes {
  return FileBytes.whole(toBytes(bytes));
}

function toBytes(bytes: TableBytes): Uint8Array {
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // `instanceof` would not recognise a buffer that comes from another window or worker; its tag does.
  const tag = Object.prototype.toString.call(bytes);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") return new Uint8Array(bytes);
  const expected = "a Uint8Array, an ArrayBuffer or a SharedArrayBuffer";
  throw new DragnetError("argument", `bytes: expected ${expected}, found ${tag}`);
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
