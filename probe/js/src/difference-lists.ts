import { refuse } from "./errors.js";
import { Leb128 } from "./leb128.js";

const MOST_LISTS = 2 ** 16;
/** The most differences of all lists of a section together. */
const MOST_DIFFERENCES = 2 ** 22;
/** The greatest number in a list as it is written. */
const MOST_NUMBER = 2 ** 32 - 1;
const MOST_DIFFERENCE = 2 ** 31 - 1;
/** The most lists whose numbers take one byte. */
const ONE_BYTE = 256;

/** Bytes of the object of a part. */
const PART = 128;

/** For each place a list of rising differences of squares: where a piece there may move, or captures. */
export class DifferenceLists {
  /** Where each list begins, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #differences: Int32Array;
  /** The number of the list of each place. */
  readonly #lists: Uint8Array | Uint16Array;
  /** The parts of the differences that were asked for, by the numbers of the lists. */
  readonly #parts: (Int32Array | undefined)[];

  /**
   * Reads the lists of so many places. Where they lead is not looked at.
   *
   * @param what the name of the section in an error
   */
  constructor(bytes: Uint8Array, places: number, what: string) {
    const fail = (expected: string, found: number): never => {
      refuse("block", what, expected, found);
    };
    const numbers = new Leb128(bytes, fail);
    const next = (most: number, unit: string): number => {
      const number = numbers.next();
      return number <= most ? number : fail(`at most ${most} ${unit}`, number);
    };
    const count = next(MOST_LISTS, "lists");
    if (count === 0) fail("at least 1 list", 0);
    this.#starts = new Uint32Array(count + 1);
    const differences: number[] = [];
    for (let list = 0; list < count; list++) {
      const length = next(MOST_DIFFERENCES - differences.length, "differences more");
      let difference = 0;
      for (let k = 0; k < length; k++) {
        const number = next(MOST_NUMBER, "as a number");
        if (k > 0) difference += 1 + number;
        else difference = number % 2 === 0 ? number / 2 : -(number + 1) / 2;
        if (difference > MOST_DIFFERENCE) fail(`a difference of at most ${MOST_DIFFERENCE}`, difference);
        differences.push(difference);
      }
      this.#starts[list + 1] = differences.length;
    }
    this.#differences = Int32Array.from(differences);
    this.#parts = new Array<undefined>(count).fill(undefined);
    const { at } = numbers;
    const wide = count > ONE_BYTE;
    const expected = at + places * (wide ? 2 : 1);
    if (bytes.length !== expected) fail(`${expected} bytes`, bytes.length);
    const low = bytes.subarray(at, at + places);
    this.#lists = wide ? Uint16Array.from(low, (byte, place) => byte | (bytes[at + places + place]! << 8)) : low;
    for (let place = 0; place < places; place++) {
      const list = this.#lists[place]!;
      if (list >= count) fail(`numbers of lists below ${count}`, list);
    }
  }

  /** Returns the differences of a place, rising. */
  of(place: number): Int32Array {
    const list = this.#lists[place]!;
    return (this.#parts[list] ??= this.#differences.subarray(this.#starts[list], this.#starts[list + 1]));
  }

  /** Returns whether a difference is in the list of a place. */
  has(place: number, difference: number): boolean {
    const list = this.#lists[place]!;
    let low = this.#starts[list]!;
    let high = this.#starts[list + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#differences[middle]! < difference) low = middle + 1;
      else high = middle;
    }
    return low < this.#starts[list + 1]! && this.#differences[low] === difference;
  }

  /** The bytes of memory that the lists take. */
  get byteLength(): number {
    const lists = this.#starts.byteLength + this.#differences.byteLength + this.#lists.byteLength;
    return lists + this.#parts.length * PART;
  }
}
