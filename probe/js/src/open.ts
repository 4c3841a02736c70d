import { Cache } from "./cache.js";
import { DragnetError, refuse } from "./errors.js";
import { FileBytes } from "./file-bytes.js";
import { readGameHeader } from "./game-header.js";
import { GameTable } from "./game-table.js";
import { readHeader } from "./header.js";
import { PartialTable } from "./partial-table.js";
import { readBeginning } from "./preamble.js";
import { RemoteFile, askUntilAnswered } from "./remote-file.js";
import { Table } from "./table.js";
import type { OpenFile } from "./table-file.js";

/** The bytes of a table: a part of memory, or all of a buffer, which threads may share. */
export type TableBytes = Uint8Array | ArrayBuffer | SharedArrayBuffer;

/** The place of a table: an address, or its bytes. */
export type TableSource = string | URL | TableBytes;

/** A table in memory, or a promise of one at an address. */
export type Opened<S extends TableSource, T> = S extends string | URL ? Promise<T> : T;

/** A table of any kind; its `kind` tells which. */
export type AnyTable = Table | PartialTable | GameTable;

/** Options for opening a table. */
export interface OpenOptions {
  /** The cache in which the table keeps decoded blocks; {@link Cache.shared} by default. */
  readonly cache?: Cache | undefined;
  /** A signal that ends the opening at an address; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for opening a pursuit table that has `N` officers. */
export interface OfficersOption<N extends number> {
  /**
   * The number of officers that the table must have. With 1, the types say that each move leads to a single
   * cell.
   */
  readonly officers?: N | undefined;
}

/**
 * Names a table to be opened, by its bytes in memory or its address. The kind of table is asked next:
 *
 * ```ts
 * const table = open(bytes).pursuit();
 * const other = await open("/tables/yard.dtb").pursuit();
 * ```
 *
 * Bytes are not copied and must not change afterwards. At an address only the beginning of the table, its
 * moves and ends are fetched now, and {@link TableFile.load} fetches what questions need; if the server does
 * not send parts of files, the whole table is fetched. The header, moves and ends are checked now, each block
 * of values when it is first touched, where a move leads when it is asked for, and everything by
 * {@link TableFile.checkSums}.
 *
 * @throws DragnetError of kind `argument` if the cache is none
 */
export function open<S extends TableSource>(source: S, options: OpenOptions = {}): Opening<S> {
  return new Opening(source, options);
}

/**
 * A table that is to be opened as one of a kind. Each method throws a {@link DragnetError}, or rejects its
 * promise with one, if the bytes are not a table or are damaged; of kind `unsupported` if they are a table of
 * another kind; of kind `fetch` if a request fails or the answer is not the one that HTTP demands. A promise
 * is rejected with the reason of the signal if that is aborted.
 */
export class Opening<S extends TableSource> {
  readonly #source: S;
  readonly #cache: Cache;
  readonly #signal: AbortSignal | undefined;

  /** @internal */
  constructor(source: S, { cache, signal }: OpenOptions) {
    this.#source = source;
    this.#cache = cacheOf(cache);
    this.#signal = signal;
  }

  /**
   * Opens a pursuit table.
   *
   * @throws DragnetError of kind `unsupported` if it has another number of officers than asked for
   */
  pursuit<N extends number = number>({ officers }: OfficersOption<N> = {}): Opened<S, Table<N>> {
    return this.#open((bytes) => {
      const header = readHeader(readBeginning(bytes.file, "pursuit"));
      const found = header.rules.officers;
      if (officers === undefined || officers === found) return new Table<N>(bytes, header);
      throw new DragnetError("unsupported", `expected a table of ${officers} officers, found one of ${found}`);
    });
  }

  /** Opens a partial table. */
  partial(): Opened<S, PartialTable> {
    return this.#open((bytes) => new PartialTable(bytes, readHeader(readBeginning(bytes.file, "partial"))));
  }

  /** Opens a game table. */
  game(): Opened<S, GameTable> {
    return this.#open((bytes) => new GameTable(bytes, readGameHeader(readBeginning(bytes.file, "game"))));
  }

  /** Opens a table of any kind. */
  any(): Opened<S, AnyTable> {
    return this.#open((bytes) => {
      const beginning = readBeginning(bytes.file);
      if (beginning.kind === "game") return new GameTable(bytes, readGameHeader(beginning));
      const header = readHeader(beginning);
      return beginning.kind === "pursuit" ? new Table(bytes, header) : new PartialTable(bytes, header);
    });
  }

  #open<T>(make: (bytes: OpenFile) => T): Opened<S, T> {
    const source: TableSource = this.#source;
    const cache = this.#cache;
    const isAddress = typeof source === "string" || source instanceof URL;
    const opened = isAddress
      ? openAddress(source, cache, this.#signal, make)
      : make({ file: FileBytes.whole(toBytes(source)), remote: undefined, cache });
    return opened as Opened<S, T>;
  }
}

/** Checks the cache of an option, and returns it; the shared one by default. */
export function cacheOf(cache: Cache = Cache.shared): Cache {
  if (cache instanceof Cache) return cache;
  refuse("argument", "cache", "a Cache", typeof cache);
}

async function openAddress<T>(
  url: string | URL,
  cache: Cache,
  signal: AbortSignal | undefined,
  make: (bytes: OpenFile) => T,
): Promise<T> {
  const { file, remote } = await RemoteFile.open(url, signal);
  return askUntilAnswered(() => make({ file, remote, cache }), file, remote, signal);
}

function toBytes(source: TableBytes): Uint8Array {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  // `instanceof` would not recognise a buffer that comes from another window or worker; its tag does.
  const tag = Object.prototype.toString.call(source);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") return new Uint8Array(source);
  const expected = "an address, a Uint8Array, an ArrayBuffer or a SharedArrayBuffer";
  refuse("argument", "source", expected, tag);
}
