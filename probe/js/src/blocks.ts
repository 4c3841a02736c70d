import { BlockIndex, CONSTANT, PACKED } from "./block-index.js";
import { Cache } from "./cache.js";
import type { Code } from "./codes.js";
import { crc32InPlace, hex32 } from "./crc32.js";
import { DragnetError } from "./errors.js";
import { checkPacked, packedCode } from "./packed.js";
import { type PaletteBlock, decodePaletteBlock } from "./palette-block.js";
import type { Preamble } from "./preamble.js";

/** Bytes of a block's checksum, which come before its body. */
const CHECKSUM = 4;

/** A decoded block, with what its index entry says. */
interface Decoded extends PaletteBlock {
  readonly length: number;
}

/** The blocks of a table, whatever game it is of. */
export class Blocks {
  readonly index: BlockIndex;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #seed: number;
  /** By block: 1 if its checksum, and its structure if it is packed, has been found right. */
  readonly #checked: Uint8Array;
  /** By offset in the data section. */
  readonly #decoded: Cache<Decoded>;

  constructor(bytes: Uint8Array, preamble: Preamble, blocks: number, cacheBytes: number) {
    this.index = new BlockIndex(bytes, preamble.end, blocks, preamble.dataLength, preamble.seed);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#seed = preamble.seed;
    this.#checked = new Uint8Array(blocks);
    this.#decoded = new Cache(cacheBytes);
  }

  /** The code in a slot of a block that has so many slots. */
  code(block: number, slot: number, slots: number): Code {
    const at = this.index.locate(block);
    const kind = this.index.kind(at);
    if (kind === CONSTANT) return this.index.constant(at);
    if (this.#checked[block] === 0) this.#check(block, at, kind, slots);
    const offset = this.index.offset(at);
    if (kind === PACKED) return packedCode(this.#view, this.index.dataStart + offset + CHECKSUM, slot);
    const decoded = this.#decoded.get(offset) ?? this.#decode(block, at, slots);
    if (decoded.indices.length !== slots || decoded.length !== this.index.length(at)) this.#refuseCopy(block);
    return decoded.palette[decoded.indices[slot]!]!;
  }

  #check(block: number, at: number, kind: number, slots: number): void {
    const offset = this.index.offset(at);
    const start = this.index.dataStart + offset;
    const body = start + CHECKSUM;
    const end = start + this.index.length(at);
    const stored = this.#view.getUint32(start, true);
    const crc = crc32InPlace(this.#seed, offset, this.#bytes, body, end);
    if (crc !== stored) {
      throw new DragnetError("checksum", `block ${block}: expected ${hex32(stored)}, found ${hex32(crc)}`);
    }
    if (kind === PACKED) checkPacked(this.#view, body, end - body, slots, `block ${block}`);
    this.#checked[block] = 1;
  }

  #decode(block: number, at: number, slots: number): Decoded {
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
