import { refuse } from "./errors.js";

/** The share of the limit that is left to blocks, however many tables are open. */
const LEAST = 1 / 2;

/** A value in the list of a cache. */
interface Node {
  readonly shelf: Map<number, Node>;
  readonly key: number;
  readonly value: unknown;
  readonly bytes: number;
  newer: Node | undefined;
  older: Node | undefined;
}

/** The values that one table keeps in a cache, under numbers of its own. */
export interface Shelf<T> {
  /** Returns the value under a key, `undefined` if there is none. */
  get(key: number): T | undefined;
  /** Keeps a value under a key that has none, and lets go of what exceeds the limit. */
  set(key: number, value: T, bytes: number): void;
}

/**
 * A budget of memory for decoded blocks, shared by any number of tables. All tables keep them in
 * {@link Cache.shared} unless they are opened with another cache. The memory of the tables counts too,
 * their files excepted, but leaves at least half of the limit. Copies of a block in a table are one block in
 * the cache. If there is no more room, the blocks go that have not been asked for longest; the block that was
 * asked last stays whatever its size.
 *
 * ```ts
 * const cache = new Cache(8 * 2 ** 20);
 * const table = open(bytes, { cache }).pursuit();
 * ```
 */
export class Cache {
  /** The limit of the shared cache if none is set: 32 MiB. */
  static readonly DEFAULT_LIMIT = 32 * 2 ** 20;
  /** The cache of all tables that are opened without one. */
  static readonly shared = new Cache(Cache.DEFAULT_LIMIT);

  #limit: number;
  /** The bytes of blocks. */
  #bytes = 0;
  /** The bytes of the tables that are in memory. */
  #tables = 0;
  #hits = 0;
  #misses = 0;
  #newest: Node | undefined;
  #oldest: Node | undefined;

  /**
   * @param limit the most bytes to keep
   * @throws DragnetError of kind `argument` if the limit is not a number of at least 0
   */
  constructor(limit: number) {
    this.#limit = checked(limit);
  }

  /** The most bytes to keep. */
  get limit(): number {
    return this.#limit;
  }

  /** @throws DragnetError of kind `argument` if the limit is not a number of at least 0 */
  set limit(limit: number) {
    this.#limit = checked(limit);
    this.#shrink();
  }

  /** The bytes of blocks that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How often a block was found. */
  get hits(): number {
    return this.#hits;
  }

  /** How often a block had to be decoded. Many misses beside few hits say that a higher limit would help. */
  get misses(): number {
    return this.#misses;
  }

  /** Lets go of all blocks. */
  clear(): void {
    for (let node = this.#newest; node !== undefined; node = node.older) node.shelf.clear();
    this.#newest = undefined;
    this.#oldest = undefined;
    this.#bytes = 0;
  }

  /**
   * Returns room for the blocks of one table.
   *
   * @internal
   */
  shelf<T>(): Shelf<T> {
    // A Map finds the nodes, which form a list from the most to the least recently used one of all tables.
    const shelf = new Map<number, Node>();
    return {
      get: (key) => {
        const newest = this.#newest;
        const node = newest?.key === key && newest.shelf === shelf ? newest : shelf.get(key);
        if (node === undefined) {
          this.#misses++;
          return undefined;
        }
        this.#hits++;
        if (node !== newest) {
          this.#unlink(node);
          this.#link(node);
        }
        return node.value as T;
      },
      set: (key, value, bytes) => {
        const node: Node = { shelf, key, value, bytes, newer: undefined, older: undefined };
        shelf.set(key, node);
        this.#link(node);
        this.#bytes += bytes;
        this.#shrink();
      },
    };
  }

  /**
   * Counts the memory of a table, until the table is garbage.
   *
   * @internal
   */
  charge(table: object, bytes: number): void {
    this.#tables += bytes;
    TABLES.register(table, () => {
      this.#tables -= bytes;
    });
    this.#shrink();
  }

  /** Lets go of the oldest blocks until the others fit, or one is left. */
  #shrink(): void {
    const room = Math.max(this.#limit - this.#tables, this.#limit * LEAST);
    while (this.#bytes > room && this.#oldest !== this.#newest) {
      const oldest = this.#oldest!;
      this.#unlink(oldest);
      oldest.shelf.delete(oldest.key);
      this.#bytes -= oldest.bytes;
    }
  }

  #link(node: Node): void {
    node.newer = undefined;
    node.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = node;
    else this.#newest.newer = node;
    this.#newest = node;
  }

  #unlink(node: Node): void {
    if (node.newer === undefined) this.#newest = node.older;
    else node.newer.older = node.older;
    if (node.older === undefined) this.#oldest = node.newer;
    else node.older.newer = node.newer;
  }
}

/** Calls the function of a table that is garbage. */
const TABLES = new FinalizationRegistry<() => void>((forget) => forget());

function checked(limit: number): number {
  if (limit >= 0) return limit;
  refuse("argument", "limit", "a number of at least 0", limit);
}
