import type { ByteRange } from "./errors.js";
import { FileBytes } from "./file-bytes.js";
import { type FileVersion, requestPiece } from "./http-range.js";

/** Bytes of the first request, which has the header of most tables and the index of small ones. */
const FIRST = 2 ** 16;
/** The most requests at a time, as many as a browser makes to one host. */
const MOST_REQUESTS = 6;
/** The most bytes of a request. */
const MOST_BYTES = 2 ** 22;
/** The widest gap between two ranges that one request fetches together. */
const MOST_GAP = 2 ** 14;

/** A request that is waiting or under way. */
interface Download extends ByteRange {
  /** The number of calls that wait for it. Nobody else needs it: without them it is stopped. */
  waiting: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly begin: () => void;
}

/** A file on a server that sends parts of files. Fetches the bytes that are asked for. */
export class RemoteFile {
  readonly #url: string | URL;
  readonly #file: FileBytes;
  readonly #version: FileVersion;
  readonly #downloads = new Set<Download>();
  readonly #queue: Download[] = [];
  #active = 0;

  private constructor(url: string | URL, file: FileBytes, version: FileVersion) {
    this.#url = url;
    this.#file = file;
    this.#version = version;
  }

  /**
   * Opens a file and fetches its beginning. `remote` is `undefined` if the whole file has come, since it is
   * short or the server does not send parts.
   *
   * @throws DragnetError of kind `fetch` or `unsupported`; otherwise the reason of the signal
   */
  static async open(
    url: string | URL,
    signal: AbortSignal | undefined,
  ): Promise<{ file: FileBytes; remote: RemoteFile | undefined }> {
    signal?.throwIfAborted();
    const { bytes, version } = await requestPiece(url, 0, FIRST, undefined, signal);
    if (version === undefined || bytes.length === version.length) {
      return { file: FileBytes.whole(bytes), remote: undefined };
    }
    const file = FileBytes.empty(version.length);
    file.put(0, bytes);
    return { file, remote: new RemoteFile(url, file, version) };
  }

  /**
   * Fetches ranges of the file into memory. Neighbouring ranges share a request, and calls at the same time
   * share what they both need.
   *
   * @throws DragnetError of kind `fetch` or `changed`; the reason of the signal if it is aborted, without an
   *   effect on other calls
   */
  async fetch(ranges: readonly ByteRange[], signal: AbortSignal | undefined): Promise<void> {
    const downloads = [...this.#downloads].filter((download) => ranges.some((range) => overlap(range, download)));
    for (const range of requestsFor(without(ranges, downloads))) downloads.push(this.#enqueue(range));
    for (const download of downloads) download.waiting++;
    this.#beginNext();
    try {
      await beforeAbort(Promise.all(downloads.map(({ done }) => done)), signal);
    } finally {
      for (const download of downloads) {
        if (--download.waiting > 0) continue;
        this.#downloads.delete(download);
        download.stop.abort();
      }
    }
  }

  #enqueue({ start, end }: ByteRange): Download {
    const stop = new AbortController();
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const done = begun.then(() => this.#request(start, end, stop.signal));
    const download = { start, end, waiting: 0, stop, done, begin };
    this.#downloads.add(download);
    this.#queue.push(download);
    return download;
  }

  async #request(start: number, end: number, signal: AbortSignal): Promise<void> {
    const { bytes } = await requestPiece(this.#url, start, end, this.#version, signal);
    this.#file.put(start, bytes);
  }

  #beginNext(): void {
    while (this.#active < MOST_REQUESTS) {
      const download = this.#queue.shift();
      if (download === undefined) return;
      if (download.stop.signal.aborted) continue;
      this.#active++;
      const end = (): void => {
        this.#active--;
        this.#downloads.delete(download);
        this.#beginNext();
      };
      download.done.then(end, end);
      download.begin();
    }
  }
}

/**
 * Asks a question until it no longer lacks bytes, which are fetched between two attempts.
 *
 * @param remote where the bytes come from; `undefined` if all are there
 * @throws whatever `ask` throws; otherwise as {@link RemoteFile.fetch}
 */
export async function askUntilAnswered<T>(
  ask: () => T,
  file: FileBytes,
  remote: RemoteFile | undefined,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    let ranges: readonly ByteRange[];
    try {
      return ask();
    } catch (error) {
      if (remote === undefined || !file.hasThrown(error)) throw error;
      ({ ranges } = error);
    }
    await remote.fetch(ranges, signal);
  }
}

function overlap(a: ByteRange, b: ByteRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Returns the parts of ranges that are in none of the others. */
function without(ranges: readonly ByteRange[], others: readonly ByteRange[]): ByteRange[] {
  let left = [...ranges];
  for (const { start, end } of others) {
    left = left.flatMap((range) => {
      if (range.end <= start || range.start >= end) return [range];
      const parts = [{ start: range.start, end: start }, { start: end, end: range.end }];
      return parts.filter((part) => part.start < part.end);
    });
  }
  return left;
}

/** Returns the ranges to request so that all the given ones arrive, which are in ascending order. */
function requestsFor(ranges: readonly ByteRange[]): ByteRange[] {
  const requests: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const before = requests.at(-1);
    if (before !== undefined && start - before.end <= MOST_GAP && end - before.start <= MOST_BYTES) {
      before.end = end;
      continue;
    }
    for (let at = start; at < end; at += MOST_BYTES) requests.push({ start: at, end: Math.min(at + MOST_BYTES, end) });
  }
  return requests;
}

/** Awaits a promise, but no longer than until the signal is aborted. */
export async function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let listener = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason);
    signal.addEventListener("abort", listener);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
