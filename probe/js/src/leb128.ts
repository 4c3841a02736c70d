/** The most bytes of a number. */
export const MOST_BYTES = 5;

/** Reads numbers in LEB128 one after the other, each of at most 5 bytes. */
export class Leb128 {
  /** The offset of the next number. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #fail: (expected: string, found: number) => never;

  /** @param fail throws an error that says what was expected and what was found */
  constructor(bytes: Uint8Array, fail: (expected: string, found: number) => never) {
    this.#bytes = bytes;
    this.#fail = fail;
  }

  /** Reads a number. */
  next(): number {
    let value = 0;
    for (let k = 0; k < MOST_BYTES; k++) {
      if (this.at === this.#bytes.length) this.#fail("a number", this.at);
      const byte = this.#bytes[this.at++]!;
      value += (byte & 0x7f) * 2 ** (7 * k);
      if (byte < 0x80) return value;
    }
    return this.#fail(`a number of at most ${MOST_BYTES} bytes`, value);
  }
}
