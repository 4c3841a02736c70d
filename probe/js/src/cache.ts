interface Node<T> {
  readonly key: number;
  readonly value: T;
  readonly bytes: number;
  newer: Node<T> | undefined;
  older: Node<T> | undefined;
}

/**
 * A least recently used cache, limited by the bytes of its values. The value used last is kept whatever its
 * size. A Map finds the nodes, which form a list from the most to the least recently used.
 */
export class Cache<T> {
  readonly #limit: number;
  readonly #nodes = new Map<number, Node<T>>();
  #bytes = 0;
  #newest: Node<T> | undefined;
  #oldest: Node<T> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: number): T | undefined {
    const newest = this.#newest;
    if (newest?.key === key) return newest.value;
    const node = this.#nodes.get(key);
    if (node === undefined) return undefined;
    this.#unlink(node);
    this.#link(node);
    return node.value;
  }

  /** Adds a value under a key that is not in the cache, and evicts what exceeds the limit. */
  set(key: number, value: T, bytes: number): void {
    const node: Node<T> = { key, value, bytes, newer: undefined, older: undefined };
    this.#nodes.set(key, node);
    this.#link(node);
    this.#bytes += bytes;
    while (this.#bytes > this.#limit && this.#oldest !== undefined && this.#oldest !== node) {
      const oldest = this.#oldest;
      this.#unlink(oldest);
      this.#nodes.delete(oldest.key);
      this.#bytes -= oldest.bytes;
    }
  }

  #link(node: Node<T>): void {
    node.newer = undefined;
    node.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = node;
    else this.#newest.newer = node;
    this.#newest = node;
  }

  #unlink(node: Node<T>): void {
    if (node.newer === undefined) this.#newest = node.older;
    else node.newer.older = node.older;
    if (node.older === undefined) this.#oldest = node.newer;
    else node.older.newer = node.newer;
  }
}
