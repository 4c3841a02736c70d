import { MOST_CODE } from "./codes.js";
import { crc32OfPart, hex } from "./crc32.js";
import { DragnetError, refuse } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";

/** The kind of a block with a single value, which stands in the index entry. */
export const CONSTANT = 0;
/** The kind of a block whose palette indices are packed bits. */
export const PACKED = 1;
/** The kind of a block that is compressed with Zstandard. */
export const ZSTD = 2;

/** Bytes of an index page. */
const PAGE = 512;
/** Entries of an index page. */
const ENTRIES = 63;
/** The fewest bytes of a block: its CRC and a body of one byte. */
const LEAST_LENGTH = 5;

/** The block index, which says where each block is. A page is checked when it is first touched. */
export class BlockIndex {
  /** The offset of the data section in the file. */
  readonly dataStart: number;
  /** The number of blocks. */
  readonly blocks: number;
  /** Bytes of the data section. */
  readonly dataLength: number;
  readonly #file: FileBytes;
  readonly #view: DataView;
  readonly #start: number;
  readonly #seed: number;
  readonly #checked: Uint8Array;
  readonly #pages: number;

  /**
   * @param start the offset of the index in the file
   * @param dataLength the length of the data section as the preamble states it
   */
  constructor(file: FileBytes, start: number, blocks: number, dataLength: bigint, seed: number) {
    const pages = Math.ceil(blocks / ENTRIES);
    const dataStart = start + pages * PAGE;
    const expected = BigInt(dataStart) + dataLength;
    if (expected !== BigInt(file.bytes.length)) {
      throw new DragnetError("length", `expected a file of ${expected} bytes, found ${file.bytes.length}`);
    }
    this.dataStart = dataStart;
    this.blocks = blocks;
    this.#file = file;
    this.#view = file.view;
    this.#start = start;
    this.#seed = seed;
    this.dataLength = Number(dataLength);
    this.#pages = pages;
    this.#checked = new Uint8Array(pages);
  }

  /** Returns the offset of a block's entry, after checking its page; -1 if the page has not arrived. */
  locate(block: number): number {
    const page = Math.floor(block / ENTRIES);
    if (this.#checked[page] === 0 && !this.#check(page)) return -1;
    return this.#start + page * PAGE + (block - page * ENTRIES) * 8;
  }

  /** Returns the kind of the block whose entry is at the offset `at`. */
  kind(at: number): number {
    return this.#view.getUint8(at + 7) >>> 6;
  }

  /** Returns the code of the constant block whose entry is at the offset `at`. */
  constant(at: number): number {
    return this.#view.getUint32(at, true);
  }

  /** Returns the bytes of the block whose entry is at the offset `at`, including its checksum. */
  length(at: number): number {
    return (this.#view.getUint32(at + 4, true) >>> 8) & 0x3fffff;
  }

  /** Returns the offset in the data section of the block whose entry is at the offset `at`. */
  offset(at: number): number {
    return this.#view.getUint32(at, true) + this.#view.getUint8(at + 4) * 2 ** 32;
  }

  /** Checks every page. All pages must have arrived. */
  checkAll(): void {
    for (let page = 0; page < this.#pages; page++) this.#check(page);
  }

  /** Checks a page. Returns false if it has not arrived. */
  #check(page: number): boolean {
    const start = this.#start + page * PAGE;
    if (!this.#file.has(start, start + PAGE)) return false;
    const end = start + ENTRIES * 8;
    const stored = this.#view.getUint32(end, true);
    const crc = crc32OfPart(this.#seed, page, this.#file.bytes, start, end);
    if (crc !== stored) refuse("checksum", `index page ${page}`, hex(stored, 8), hex(crc, 8));
    const last = this.#view.getUint32(end + 4, true);
    if (last !== 0) refuse("index", `index page ${page}`, "a last word of 0", last);
    const used = Math.min(ENTRIES, this.blocks - page * ENTRIES);
    for (let k = 0; k < ENTRIES; k++) {
      if (k < used) this.#checkEntry(start + k * 8, page * ENTRIES + k);
      else this.#checkUnused(start + k * 8, page);
    }
    this.#checked[page] = 1;
    return true;
  }

  #checkEntry(at: number, block: number): void {
    const kind = this.kind(at);
    const fail = (expected: string, found: number): never => {
      refuse("index", `index entry of block ${block}`, expected, found);
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
    refuse("index", `index page ${page}`, "unused entries of 0", value);
  }
}
