/**
 * What went wrong, for programs:
 *
 * - `format`: the bytes are no Dragnet table
 * - `version`: a table of a version that this reader does not know
 * - `length`: bytes are missing, or there are too many
 * - `header`: the header breaks a rule of the format
 * - `checksum`: bytes have changed since the table was written
 * - `index`: the block index breaks a rule of the format
 * - `block`: a block breaks a rule of the format
 * - `contents`: all bytes are as the format wants them, but what they say does not agree
 * - `unsupported`: a valid table of a kind that this reader does not answer from
 * - `position`: a position that is not on the table's board
 * - `argument`: anything else that the caller got wrong
 * - `fetch`: the table could not be fetched
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
  | "fetch";

/** The only error that this package throws. The message tells what was expected and what was found. */
export class DragnetError extends Error {
  /** What went wrong, for programs. */
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DragnetError";
    this.kind = kind;
  }
}
