import { DragnetError } from "./errors.js";

/**
 * Reads the fields of a header one after the other. Each call names its field, so that an error can name it
 * too.
 */
export class Cursor {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The number of bytes not read yet. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  u8(field: string): number {
    return this.#view.getUint8(this.#take(1, field));
  }

  u16(field: string): number {
    return this.#view.getUint16(this.#take(2, field), true);
  }

  u32(field: string): number {
    return this.#view.getUint32(this.#take(4, field), true);
  }

  u64(field: string): bigint {
    return this.#view.getBigUint64(this.#take(8, field), true);
  }

  /** Reads a u64 that must be at most `most`, which is below 2^53. */
  boundedU64(field: string, most: number): number {
    const value = this.u64(field);
    if (value > BigInt(most)) {
      throw new DragnetError("header", `header, ${field}: expected at most ${most}, found ${value}`);
    }
    return Number(value);
  }

  /** Reads a u32 as an index into `choices`. */
  enumeration<T>(field: string, choices: readonly T[]): T {
    const value = this.u32(field);
    if (value >= choices.length) {
      throw new DragnetError("header", `header, ${field}: expected at most ${choices.length - 1}, found ${value}`);
    }
    return choices[value]!;
  }

  /** Reads `count` bytes, as a view and not a copy. */
  bytes(field: string, count: number): Uint8Array {
    const at = this.#take(count, field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, count);
  }

  #take(count: number, field: string): number {
    if (count > this.left) {
      throw new DragnetError("header", `header, ${field}: expected ${count} bytes more, found ${this.left}`);
    }
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
