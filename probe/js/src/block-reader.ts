import { BlockIndex, CONSTANT, PACKED } from "./block-index.js";
import { Cache } from "./cache.js";
import type { Code } from "./codes.js";
import { crc32OfPart, hex32 } from "./crc32.js";
import { DragnetError } from "./errors.js";
import { checkPacked, packedCode } from "./packed.js";
import { type PaletteBlock, decodePaletteBlock } from "./palette-block.js";
import type { Preamble } from "./preamble.js";

/** Bytes of the checksum that precedes the body of a block. */
const CHECKSUM = 4;

/** A decoded Zstandard block, and the length that its index entry gives. */
interface CachedBlock extends PaletteBlock {
  readonly length: number;
}

/**
 * Reads the codes in the blocks of a table of either kind, and checks each block when it is first touched.
 */
export class BlockReader {
  readonly index: BlockIndex;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #seed: number;
  /** 1 for each block whose checksum, and whose structure if it is packed, has been checked. */
  readonly #checked: Uint8Array;
  /** Decoded blocks, by their offset in the data section. */
  readonly #decoded: Cache<CachedBlock>;

  constructor(bytes: Uint8Array, preamble: Preamble, blocks: number, cacheBytes: number) {
    this.index = new BlockIndex(bytes, preamble.end, blocks, preamble.dataLength, preamble.seed);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#seed = preamble.seed;
    this.#checked = new Uint8Array(blocks);
    this.#decoded = new Cache(cacheBytes);
  }

  /** Returns the code in `slot` of a block that has `slots` slots. */
  code(block: number, slot: number, slots: number): Code {
    const at = this.index.locate(block);
    const kind = this.index.kind(at);
    if (kind === CONSTANT) return this.index.constant(at);
    if (this.#checked[block] === 0) this.#check(block, at, kind, slots);
    const offset = this.index.offset(at);
    if (kind === PACKED) return packedCode(this.#view, this.index.dataStart + offset + CHECKSUM, slot);
    const decoded = this.#decoded.get(offset) ?? this.#decode(block, at, slots);
    // Blocks with equal bytes share them; a forged index may let blocks of different sizes share.
    if (decoded.indices.length !== slots || decoded.length !== this.index.length(at)) this.#refuseCopy(block);
    return decoded.palette[decoded.indices[slot]!]!;
  }

  #check(block: number, at: number, kind: number, slots: number): void {
    const offset = this.index.offset(at);
    const start = this.index.dataStart + offset;
    const body = start + CHECKSUM;
    const end = start + this.index.length(at);
    const stored = this.#view.getUint32(start, true);
    const crc = crc32OfPart(this.#seed, offset, this.#bytes, body, end);
    if (crc !== stored) {
      throw new DragnetError("checksum", `block ${block}: expected ${hex32(stored)}, found ${hex32(crc)}`);
    }
    if (kind === PACKED) checkPacked(this.#view, body, end - body, slots, `block ${block}`);
    this.#checked[block] = 1;
  }

  #decode(block: number, at: number, slots: number): CachedBlock {
    const offset = this.index.offset(at);
    const start = this.index.dataStart + offset;
    const length = this.index.length(at);
    const body = this.#bytes.subarray(start + CHECKSUM, start + length);
    const decoded = { ...decodePaletteBlock(body, slots, `block ${block}`), length };
    this.#decoded.set(offset, decoded, decoded.palette.byteLength + decoded.indices.buffer.byteLength);
    return decoded;
  }

  #refuseCopy(block: number): never {
    throw new DragnetError("index", `block ${block}: expected a copy of a block of the same size, found another size`);
  }
}
