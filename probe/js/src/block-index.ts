import { crc32InPlace, hex32 } from "./crc32.js";
import { DragnetError } from "./errors.js";
import { MOST_CODE } from "./codes.js";

export const CONSTANT = 0;
export const PACKED = 1;
export const ZSTD = 2;

const PAGE = 512;
const ENTRIES = 63;
/** The CRC of an extent's body comes first in it. */
const LEAST_LENGTH = 5;

/** The index: where each block is. A page is checked when it is first touched. */
export class BlockIndex {
  /** Where the data section begins. */
  readonly dataStart: number;
  readonly blocks: number;
  /** Bytes of the data section. */
  readonly dataLength: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #start: number;
  readonly #seed: number;
  readonly #checked: Uint8Array;
  readonly #pages: number;

  /**
   * @param start where the index begins
   * @param dataLength what the preamble says of the data section's length
   */
  constructor(bytes: Uint8Array, start: number, blocks: number, dataLength: bigint, seed: number) {
    const pages = Math.ceil(blocks / ENTRIES);
    const dataStart = start + pages * PAGE;
    const expected = BigInt(dataStart) + dataLength;
    if (expected !== BigInt(bytes.length)) {
      throw new DragnetError("length", `expected a file of ${expected} bytes, found ${bytes.length}`);
    }
    this.dataStart = dataStart;
    this.blocks = blocks;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
    this.#seed = seed;
    this.dataLength = Number(dataLength);
    this.#pages = pages;
    this.#checked = new Uint8Array(pages);
  }

  /** Where the entry of a block is, in a page that is whole. */
  locate(block: number): number {
    const page = Math.floor(block / ENTRIES);
    if (this.#checked[page] === 0) this.#check(page);
    return this.#start + page * PAGE + (block - page * ENTRIES) * 8;
  }

  /** The kind of the entry at a place. */
  kind(at: number): number {
    return this.#view.getUint8(at + 7) >>> 6;
  }

  /** The code of a constant block's entry. */
  constant(at: number): number {
    return this.#view.getUint32(at, true);
  }

  /** Bytes of a block, its checksum included. */
  length(at: number): number {
    return (this.#view.getUint32(at + 4, true) >>> 8) & 0x3fffff;
  }

  /** Where a block begins in the data section. */
  offset(at: number): number {
    return this.#view.getUint32(at, true) + this.#view.getUint8(at + 4) * 2 ** 32;
  }

  /** Checks all pages. */
  checkAll(): void {
    for (let page = 0; page < this.#pages; page++) this.#check(page);
  }

  #check(page: number): void {
    const start = this.#start + page * PAGE;
    const end = start + ENTRIES * 8;
    const stored = this.#view.getUint32(end, true);
    const crc = crc32InPlace(this.#seed, page, this.#bytes, start, end);
    if (crc !== stored) {
      throw new DragnetError("checksum", `index page ${page}: expected ${hex32(stored)}, found ${hex32(crc)}`);
    }
    const last = this.#view.getUint32(end + 4, true);
    if (last !== 0) throw new DragnetError("index", `index page ${page}: expected a last word of 0, found ${last}`);
    const used = Math.min(ENTRIES, this.blocks - page * ENTRIES);
    for (let k = 0; k < ENTRIES; k++) {
      if (k < used) this.#checkEntry(start + k * 8, page * ENTRIES + k);
      else this.#checkUnused(start + k * 8, page);
    }
    this.#checked[page] = 1;
  }

  #checkEntry(at: number, block: number): void {
    const kind = this.kind(at);
    const fail = (expected: string, found: number): never => {
      throw new DragnetError("index", `index entry of block ${block}: expected ${expected}, found ${found}`);
    };
    if (kind > ZSTD) fail("a kind of 0 to 2", kind);
    if (kind === CONSTANT) {
      const high = this.#view.getUint32(at + 4, true);
      if (high !== 0) fail("0 in the upper half", high);
      if (this.constant(at) > MOST_CODE) fail(`a code of at most ${MOST_CODE}`, this.constant(at));
    } else {
      const length = this.length(at);
      const end = this.offset(at) + length;
      if (length < LEAST_LENGTH) fail(`a length of at least ${LEAST_LENGTH}`, length);
      if (end > this.dataLength) fail(`an end of at most ${this.dataLength}`, end);
    }
  }

  #checkUnused(at: number, page: number): void {
    const value = this.#view.getBigUint64(at, true);
    if (value === 0n) return;
    throw new DragnetError("index", `index page ${page}: expected unused entries of 0, found ${value}`);
  }
}
