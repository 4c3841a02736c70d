interface Node<T> {
  readonly key: number;
  readonly value: T;
  readonly bytes: number;
  newer: Node<T> | undefined;
  older: Node<T> | undefined;
}

/** Keeps what was used last, up to a number of bytes; what was used at last is kept whatever its size. */
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

  /** Takes in something whose key is not there. */
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
