import { DragnetError, refuse } from "./errors.js";

/** The version of a file, as far as a server tells. */
export interface FileVersion {
  /** The length of the file in bytes. */
  readonly length: number;
  readonly etag: string | null;
  readonly modified: string | null;
}

/** A part of a file, or the whole of it if the server does not send parts. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** The version of the file that the part is of; `undefined` if `bytes` is the whole file. */
  readonly version: FileVersion | undefined;
}

/**
 * Requests `[start, end)` of a file, or what there is of it if the file ends before.
 *
 * @param version the version that was opened; `undefined` for the first request, whose answer may be the
 *   whole file
 * @throws DragnetError of kind `changed` if the file has another version, of kind `fetch` if the request
 *   fails or the answer is not the one that HTTP demands; otherwise the reason of the signal
 */
export async function requestPiece(
  url: string | URL,
  start: number,
  end: number,
  version: FileVersion | undefined,
  signal: AbortSignal | undefined,
): Promise<Piece> {
  const headers: Record<string, string> = { range: `bytes=${start}-${end - 1}` };
  try {
    const condition = version === undefined || isForeign(url) ? null : conditionOf(version);
    if (condition !== null) headers["if-range"] = condition;
    // A browser's cache would let requests for one file wait for each other, and mix versions.
    const answer = await fetch(url, { headers, cache: "no-store", ...(signal === undefined ? {} : { signal }) });
    try {
      return await readAnswer(answer, `${url}`, start, end, version);
    } finally {
      // A body that is not read to its end would keep the connection.
      if (answer.body?.locked === false) answer.body.cancel().catch(() => {});
    }
  } catch (cause) {
    if (cause instanceof DragnetError) throw cause;
    signal?.throwIfAborted();
    refuse("fetch", `${url}`, "an answer", "none or a broken one", cause);
  }
}

async function readAnswer(
  answer: Response,
  url: string,
  start: number,
  end: number,
  version: FileVersion | undefined,
): Promise<Piece> {
  const { status } = answer;
  if (status === 200 && version === undefined) {
    return { bytes: new Uint8Array(await answer.arrayBuffer()), version: undefined };
  }
  if (version !== undefined && (status === 200 || status === 412 || status === 416)) {
    refuseChange(url, `status 206 for a part of it`, `status ${status}`);
  }
  if (status !== 206) refuse("fetch", url, "the status 206 or 200", `status ${status}`);
  const found = readRange(answer, url);
  const etag = answer.headers.get("etag");
  const modified = answer.headers.get("last-modified");
  if (version !== undefined) {
    expectEqual(url, "length", version.length, found.length);
    expectEqual(url, "ETag", version.etag, etag);
    expectEqual(url, "Last-Modified", version.modified, modified);
  }
  const last = Math.min(end, found.length) - 1;
  if (found.first !== start || found.last !== last) {
    const range = `bytes ${start} to ${last}`;
    refuse("fetch", url, range, `bytes ${found.first} to ${found.last}`);
  }
  const encoding = answer.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") refuse("fetch", url, "the bytes of the file", `the encoding ${encoding}`);
  const bytes = await readBody(answer, url, last + 1 - start);
  return { bytes, version: { length: found.length, etag, modified } };
}

/** Reads the range of the file that an answer has, and the length of the file. */
function readRange(answer: Response, url: string): { first: number; last: number; length: number } {
  const text = answer.headers.get("content-range");
  if (text === null) {
    const found = answer.headers.get("content-type")?.startsWith("multipart/") ? "several parts" : "none";
    const hint = "a server of another origin must name it in Access-Control-Expose-Headers";
    refuse("fetch", url, "a header Content-Range", `${found}; ${hint}`);
  }
  const [first, last, length] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(text)?.slice(1) ?? []).map(Number);
  if (first === undefined || last === undefined || !Number.isSafeInteger(length)) {
    refuse("fetch", url, 'a Content-Range "bytes FIRST-LAST/LENGTH"', `"${text}"`);
  }
  return { first, last, length: length! };
}

/** Reads a body that must have exactly `length` bytes, and never keeps more. */
async function readBody(answer: Response, url: string, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const reader = answer.body?.getReader();
  let at = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (at + part.value.length > length) {
      reader?.cancel().catch(() => {});
      refuse("fetch", url, `a body of ${length} bytes`, "more");
    }
    bytes.set(part.value, at);
    at += part.value.length;
  }
  if (at < length) refuse("fetch", url, `a body of ${length} bytes`, at);
  return bytes;
}

/** Throws unless two answers agree on a header, as far as both have it. */
function expectEqual(url: string, what: string, before: string | number | null, now: string | number | null): void {
  if (before !== null && now !== null && before !== now) refuseChange(url, `the ${what} ${before}`, `${now}`);
}

function refuseChange(url: string, expected: string, found: string): never {
  refuse("changed", `${url}: the file has changed since it was opened`, expected, `${found}; open it again`);
}

/** Returns the value of an If-Range header, `null` if the server has given nothing that fits. */
function conditionOf({ etag, modified }: FileVersion): string | null {
  return etag !== null && !etag.startsWith("W/") ? etag : modified;
}

/**
 * Returns whether an address is of another origin than the page. If-Range would then need the server's
 * consent; the headers of the answer tell versions apart as well.
 */
function isForeign(url: string | URL): boolean {
  const page = globalThis.location?.href;
  return page !== undefined && new URL(url, page).origin !== globalThis.location.origin;
}
