import { DragnetError } from "./errors.js";

/** How to open a table. */
export interface OpenOptions {
  /** How many bytes of decoded blocks to keep, 16 MiB unless told. The block used last is kept in any case. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 16 * 2 ** 20;

/** The bytes of a table as a view, and how much of its decoded blocks to keep. */
export function opened(
  bytes: Uint8Array | ArrayBuffer,
  options: OpenOptions,
): { view: Uint8Array; cacheBytes: number } {
  const { cacheBytes = CACHE_BYTES } = options;
  if (!(cacheBytes >= 0)) {
    throw new DragnetError("argument", `cacheBytes: expected a number of at least 0, found ${cacheBytes}`);
  }
  return { view: toBytes(bytes), cacheBytes };
}

function toBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The name, since `instanceof` does not know buffers from another window or worker.
  const name = Object.prototype.toString.call(bytes);
  if (name === "[object ArrayBuffer]") return new Uint8Array(bytes);
  throw new DragnetError("argument", `expected a Uint8Array or an ArrayBuffer, found ${name}`);
}

/** The bytes behind an address. */
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
