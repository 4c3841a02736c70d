import { Cache } from "./cache.js";
import { crc32 } from "./crc32.js";
import { DragnetError, refuse } from "./errors.js";
import { type TableSource, cacheOf, open } from "./open.js";
import { beforeAbort } from "./remote-file.js";
import type { Rules } from "./rules.js";
import type { Table } from "./table.js";
import type { LoadOptions } from "./table-file.js";

/** Settings of a {@link Tablebase}. */
export interface TablebaseOptions {
  /** The cache that all tables share; one of its own of {@link Cache.DEFAULT_LIMIT} bytes by default. */
  readonly cache?: Cache | undefined;
  /** The most tables that stay open when nobody holds them, at least 1; 64 by default. */
  readonly openTables?: number | undefined;
}

/** The properties of a table to look for. Those that are left out may be any. */
export interface TableQuery<N extends number = number> {
  /** The squares of the board, as the `text` of {@link Table.board} has them. */
  readonly board?: string | undefined;
  /** Rules, or some of them. */
  readonly rules?: Partial<Rules> | undefined;
  /** The number of officers. */
  readonly officers?: N | undefined;
  /** The text from which the game was made: its board, or its graph, and all its rules. */
  readonly source?: string | undefined;
}

/** The part of a table by which it is found, which is kept when the table is closed. */
interface Head {
  /** The checksum of the board's text, which may be long; `undefined` in a query for any board. */
  readonly board: number | undefined;
  readonly rules: Partial<Rules>;
}

/** The most tables whose heads are fetched at a time. */
const AT_A_TIME = 6;
const OPEN_TABLES = 64;

/**
 * A set of pursuit tables, found by board, rules, officers and source. The head of a table is read when a
 * search comes to it, its source and its blocks when they are asked for. All tables share one cache.
 *
 * ```ts
 * const tables = new Tablebase(["/tables/yard.dtb", "/tables/town.dtb"]);
 * const table = await tables.table({ board: "..#.\n...E\n", officers: 1 });
 * ```
 */
export class Tablebase {
  /** The places of the tables, in their order. */
  readonly sources: readonly TableSource[];
  /** The cache that all tables share. */
  readonly cache: Cache;
  readonly #most: number;
  /** The heads that were read, by the index of their source; `null` for a table of another kind. */
  readonly #heads = new Map<number, Head | null>();
  readonly #unreadable = new Map<number, DragnetError>();
  /** The tables that are open or being opened; the last one was asked for last. */
  readonly #open = new Map<number, Promise<Table | undefined>>();

  /** @throws DragnetError of kind `argument` if an option is of another kind or out of its range */
  constructor(sources: Iterable<TableSource>, options: TablebaseOptions = {}) {
    const { cache = new Cache(Cache.DEFAULT_LIMIT), openTables = OPEN_TABLES } = options;
    if (!Number.isInteger(openTables) || openTables < 1) {
      const message = `openTables: expected an integer of at least 1, found ${String(openTables)}`;
      throw new DragnetError("argument", message);
    }
    this.sources = [...sources];
    this.cache = cacheOf(cache);
    this.#most = openTables;
  }

  /**
   * The faults of sources that were read and are no pursuit table, by their indices. A table that is absent
   * may be one of them. Tables of other kinds are passed over and are no fault.
   */
  get unreadable(): ReadonlyMap<number, DragnetError> {
    return this.#unreadable;
  }

  /**
   * Returns a table with all properties of a query. Tables that were opened before come first, then the other
   * ones in the order of the sources. The table stays usable for as long as you hold it.
   *
   * @throws DragnetError of kind `absent` if there is none; its `cause` is the first fault of a source that
   *   could not be read, if there is any; the reason of the signal if it is aborted
   */
  async table<N extends number = number>(
    query: TableQuery<N>,
    { signal }: LoadOptions = {},
  ): Promise<Table<N>> {
    signal?.throwIfAborted();
    const { board } = query;
    if (board !== undefined && (typeof board !== "string" || !/^([#.E]+\n)+$/.test(board))) {
      refuse("argument", "board", "rows of '#', '.' and 'E', each ended by a line feed", "something else");
    }
    const wanted = headOf(board, query.rules, query.officers);
    for (const [index, head] of this.#heads) {
      if (head === null || !fits(head, wanted)) continue;
      const table = await this.#find(index, query, wanted, signal);
      if (table !== undefined) return table;
    }
    const faults: DragnetError[] = [...this.#unreadable.values()];
    const isRead = (index: number): boolean => this.#heads.has(index) || this.#unreadable.has(index);
    const left = [...this.sources.keys()].filter((index) => !isRead(index));
    while (left.length > 0) {
      const asked = left.splice(0, AT_A_TIME).map((index) => this.#find(index, query, wanted, signal));
      for (const answer of await Promise.allSettled(asked)) {
        if (answer.status === "fulfilled" && answer.value !== undefined) return answer.value;
        if (answer.status === "fulfilled") continue;
        signal?.throwIfAborted();
        if (!(answer.reason instanceof DragnetError)) throw answer.reason;
        faults.push(answer.reason);
      }
    }
    throw absent(query, this.sources.length, faults);
  }

  /**
   * Returns the table of a source if it has all properties of a query.
   *
   * @throws DragnetError if the source cannot be read; the reason of the signal if it is aborted
   */
  async #find<N extends number>(
    index: number,
    { board, source }: TableQuery<N>,
    wanted: Head,
    signal: AbortSignal | undefined,
  ): Promise<Table<N> | undefined> {
    const table = await beforeAbort(this.#table(index), signal);
    if (table === undefined || !fits(this.#heads.get(index)!, wanted)) return undefined;
    // Equal checksums are not enough.
    if (board !== undefined && board !== table.board.text) return undefined;
    const hasSource = source === undefined || (await table.load((t) => t.source(), { signal })) === source;
    return hasSource ? (table as Table<N>) : undefined;
  }

  /** Returns the pursuit table of a source, which is opened if it is not open; `undefined` if it is none. */
  #table(index: number): Promise<Table | undefined> {
    const table = this.#open.get(index) ?? this.#read(index);
    this.#open.delete(index);
    this.#open.set(index, table);
    if (this.#open.size > this.#most) this.#open.delete(this.#open.keys().next().value!);
    return table;
  }

  async #read(index: number): Promise<Table | undefined> {
    try {
      const table = await open(this.sources[index]!, { cache: this.cache }).any();
      const isPursuit = table.kind === "pursuit";
      this.#heads.set(index, isPursuit ? headOf(table.board.text, table.rules) : null);
      return isPursuit ? table : undefined;
    } catch (error) {
      this.#open.delete(index);
      // A server may answer the next time.
      if (error instanceof DragnetError && error.kind !== "fetch") this.#unreadable.set(index, error);
      throw error;
    }
  }
}

/** Returns the properties of a table, or those that a query names. */
function headOf(board: string | undefined, rules: Partial<Rules> = {}, officers?: number): Head {
  const checksum = board === undefined ? board : crc32(new TextEncoder().encode(board));
  return { board: checksum, rules: officers === undefined ? rules : { ...rules, officers } };
}

function fits(head: Head, wanted: Head): boolean {
  if (wanted.board !== undefined && wanted.board !== head.board) return false;
  const names = Object.keys(wanted.rules) as (keyof Rules)[];
  return names.every((name) => wanted.rules[name] === undefined || wanted.rules[name] === head.rules[name]);
}

function absent(query: TableQuery, sources: number, faults: readonly DragnetError[]): DragnetError {
  const { board, rules, officers, source } = query;
  const wanted = [
    board === undefined ? "" : `this board of ${board.split("\n").length - 1}x${board.indexOf("\n")}`,
    rules === undefined ? "" : "these rules",
    officers === undefined ? "" : `${officers} officers`,
    source === undefined ? "" : "this source",
  ];
  const named = wanted.filter((part) => part !== "").join(" and ") || "these properties";
  const message = `expected a table with ${named} among ${sources}, found none`;
  const [cause] = faults;
  if (cause === undefined) return new DragnetError("absent", message);
  const unread = `${faults.length} could not be read, the first because of this: ${cause.message}`;
  return new DragnetError("absent", `${message}; ${unread}`, { cause });
}
