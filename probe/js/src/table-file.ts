import type { Cache } from "./cache.js";
import type { FileBytes } from "./file-bytes.js";
import type { TableKind } from "./preamble.js";
import { type RemoteFile, askUntilAnswered } from "./remote-file.js";
import type { CheckedSums } from "./check-sums.js";

/** Options for {@link TableFile.load}. */
export interface LoadOptions {
  /** A signal that ends the fetching; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The bytes of a table that is being opened. */
export interface OpenFile {
  readonly file: FileBytes;
  /** Where bytes come from that are not there; `undefined` if all are. */
  readonly remote: RemoteFile | undefined;
  readonly cache: Cache;
}

/** The file of an open table, in memory or on a server. */
export abstract class TableFile {
  /** The kind of the table, which tells the members of {@link AnyTable} apart. */
  abstract readonly kind: TableKind;
  /** The content digest: equal for all tables with the same values; in a partial table that of its values. */
  readonly digest: bigint;
  /** @internal */
  protected readonly file: FileBytes;
  readonly #remote: RemoteFile | undefined;

  /** @internal */
  protected constructor({ file, remote }: OpenFile, digest: bigint) {
    this.file = file;
    this.#remote = remote;
    this.digest = digest;
  }

  /** Whether the whole file is in memory, so that every question is answered at once. */
  get isLocal(): boolean {
    return this.file.isWhole;
  }

  /** The length of the file in bytes. */
  get byteLength(): number {
    return this.file.bytes.length;
  }

  /** The number of bytes of the file that are in memory. */
  get fetched(): number {
    return this.file.fetched;
  }

  /**
   * The whole file, for example to save it. It must not be changed.
   *
   * @throws DragnetError of kind `missing` if not all of it is in memory
   */
  get bytes(): Uint8Array {
    this.file.need(0, this.file.bytes.length);
    return this.file.bytes;
  }

  /**
   * Asks a question about a table that was opened in pieces: calls `ask`, fetches the bytes that it lacked,
   * and calls it again until it answers. `ask` must be synchronous. For a table in memory it is called once.
   *
   * ```ts
   * const moves = await table.load((t) => t.moves(position));
   * ```
   *
   * @throws whatever `ask` throws, except for errors of kind `missing` that the table throws;
   *   DragnetError of kind `fetch` or `changed`; the reason of the signal if it is aborted. The table can be
   *   used further in each case.
   */
  load<T>(ask: (table: this) => T, options: LoadOptions = {}): Promise<T> {
    return askUntilAnswered(() => ask(this), this.file, this.#remote, options.signal);
  }

  /**
   * Checks the whole table: every checksum, every rule of the format, and that the header agrees with the
   * values. Of a table that keeps moves, each is checked to be legal. It blocks the thread until it is done.
   *
   * @throws DragnetError at the first fault found; of kind `missing` unless the whole file is in memory
   */
  checkSums(): CheckedSums {
    return finished(this.checkSumsInSteps());
  }

  /**
   * Checks the whole table as {@link TableFile.checkSums} does, in steps, one for each block, between which a
   * page can do other things or stop. Each step yields the share that is done, from 0 to 1.
   *
   * @throws DragnetError as {@link TableFile.checkSums}, from the first or a later step
   */
  abstract checkSumsInSteps(): Generator<number, CheckedSums>;
}

/** Returns the result of steps after the last one. */
export function finished<T>(steps: Generator<number, T>): T {
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) return value;
  }
}
