import { refuse } from "./fail.js";

/** A bit stream that is read forwards, from the lowest bit of the first byte. */
export class ForwardBits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next bits, at most 16, without consuming them. Bits beyond the end are 0. */
  peek(count: number): number {
    const byte = this.#at >>> 3;
    const bytes = this.#bytes;
    const word = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
    return (word >>> (this.#at & 7)) & ((1 << count) - 1);
  }

  /** Consumes bits; refuses the frame if there are not so many. */
  skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length * 8) refuse("expected more bits of a table, found the end");
  }

  /** The number of bytes consumed, including the last one if it was used in part. */
  get bytesTaken(): number {
    return (this.#at + 7) >>> 3;
  }
}

/**
 * A bit stream that is read backwards, from below the highest set bit of the last byte down to the first
 * byte.
 */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** The number of bits not read yet; negative if more were read than there are. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes[bytes.length - 1] ?? 0;
    if (last === 0) refuse("expected a set bit in the last byte of a stream, found 0");
    this.#bytes = bytes;
    this.left = bytes.length * 8 - 8 + (31 - Math.clz32(last));
  }

  /** Returns the next bits, at most 24, without consuming them. Bits beyond the end are 0. */
  peek(count: number): number {
    const bytes = this.#bytes;
    const low = this.left - count;
    const at = low >> 3;
    if (low >= 0 && at + 4 <= bytes.length) {
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      return (word >>> (low & 7)) & ((1 << count) - 1);
    }
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    return (word >>> (low & 7)) & ((1 << count) - 1);
  }

  /**
   * Consumes and returns the next bits, at most 24. The caller checks `left` for a stream that is too short.
   */
  take(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }
}
