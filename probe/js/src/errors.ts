/**
 * The category of a {@link DragnetError}, for programs:
 *
 * - `format`: the bytes are not a Dragnet table
 * - `version`: the table has a format version that this reader does not know
 * - `length`: bytes are missing, or there are too many
 * - `header`: the header breaks a rule of the format
 * - `checksum`: bytes have changed since the table was written
 * - `index`: the block index breaks a rule of the format
 * - `block`: a block breaks a rule of the format
 * - `contents`: every part is well formed, but the parts contradict each other
 * - `unsupported`: the table is valid, but of another kind or too large for this reader
 * - `position`: the position does not exist in the table
 * - `argument`: any other argument is invalid
 * - `fetch`: the table could not be fetched, or the server's answer breaks a rule of HTTP
 * - `changed`: the file is no longer the one that was opened
 * - `missing`: bytes that the answer needs have not been fetched yet; `load` fetches them
 * - `absent`: a set of tables has none with the properties that were asked for
 * - `not-kept`: a partial table does not keep what the question asks for
 * - `work`: the question needs more work than a table may ask for, as a position with too many moves does
 */
export type ErrorKind =
  | "format"
  | "version"
  | "length"
  | "header"
  | "checksum"
  | "index"
  | "block"
  | "contents"
  | "unsupported"
  | "position"
  | "argument"
  | "fetch"
  | "changed"
  | "missing"
  | "absent"
  | "not-kept"
  | "work";

/** A half-open range of bytes in a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The only error that this package throws. Its message says what was expected and what was found. */
export class DragnetError extends Error {
  /** The category of the error, for programs. */
  readonly kind: ErrorKind;
  /** The bytes that an error of kind `missing` lacks, in ascending order; empty for other kinds. */
  readonly ranges: readonly ByteRange[];

  constructor(kind: ErrorKind, message: string, options: ErrorOptions & { ranges?: readonly ByteRange[] } = {}) {
    super(message, options);
    this.name = "DragnetError";
    this.kind = kind;
    this.ranges = options.ranges ?? [];
  }
}

/** Throws an error whose message says what was expected of something and what was found. */
export function refuse(kind: ErrorKind, what: string, expected: unknown, found: unknown, cause?: unknown): never {
  const message = `${what}: expected ${String(expected)}, found ${String(found)}`;
  throw new DragnetError(kind, message, cause === undefined ? {} : { cause });
}
