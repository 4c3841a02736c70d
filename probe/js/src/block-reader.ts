import { BlockIndex, CONSTANT, PACKED } from "./block-index.js";
import type { Cache, Shelf } from "./cache.js";
import { type Code, DRAW } from "./codes.js";
import { crc32OfPart, hex } from "./crc32.js";
import { Effort } from "./effort.js";
import { refuse } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import { type SlotRun, checkPacked, copyPacked, packedCode } from "./packed.js";
import { type PaletteBlock, decodePaletteBlock } from "./palette-block.js";
import type { Preamble } from "./preamble.js";

/** Bytes of the checksum that precedes the body of a block. */
const CHECKSUM = 4;
/** Bytes of a block in the cache beside its codes: objects, their buffers, and the place in the list. */
const OVERHEAD = 704;

/** A decoded Zstandard block, and the length that its index entry gives. */
interface CachedBlock extends PaletteBlock {
  readonly length: number;
}

/**
 * Reads the codes in the blocks of a table of either kind, and checks each block when it is first touched.
 */
export class BlockReader {
  readonly index: BlockIndex;
  readonly #file: FileBytes;
  readonly #view: DataView;
  readonly #seed: number;
  /** 1 for each block whose checksum, and whose structure if it is packed, has been checked. */
  readonly #checked: Uint8Array;
  /** Decoded blocks, by their offset in the data section. */
  readonly #cache: Shelf<CachedBlock>;

  constructor(file: FileBytes, preamble: Preamble, blocks: number, cache: Cache) {
    this.index = new BlockIndex(file, preamble.end, blocks, preamble.dataLength, preamble.seed);
    this.#file = file;
    this.#view = file.view;
    this.#seed = preamble.seed;
    this.#checked = new Uint8Array(blocks);
    this.#cache = cache.shelf();
  }

  /**
   * Returns the code in `slot` of a block that has `slots` slots, as part of a question that may need
   * `effort`; a draw if the block has not arrived, which the file notes.
   */
  code(block: number, slot: number, slots: number, effort = Effort.UNLIMITED): Code {
    const at = this.index.locate(block);
    if (at < 0) return DRAW;
    const kind = this.index.kind(at);
    if (kind === CONSTANT) return this.index.constant(at);
    if (this.#checked[block] === 0 && !this.#check(block, at, kind, slots)) return DRAW;
    const offset = this.index.offset(at);
    if (kind === PACKED) return packedCode(this.#view, this.index.dataStart + offset + CHECKSUM, slot);
    effort.look(block, slots);
    const { palette, indices } = this.#decoded(block, at, offset, slots, effort);
    return palette[indices[slot]!]!;
  }

  /**
   * Copies the codes in several slots of a block that has `slots` slots to `out`, from the index `to` on;
   * nothing if the block has not arrived, which the file notes.
   *
   * @param keep whether the cache keeps the block
   */
  copy(block: number, slots: number, run: SlotRun, out: Uint32Array, to: number, keep = true): void {
    const at = this.index.locate(block);
    if (at < 0) return;
    const kind = this.index.kind(at);
    if (kind === CONSTANT) {
      out.fill(this.index.constant(at), to, to + run.count);
      return;
    }
    if (this.#checked[block] === 0 && !this.#check(block, at, kind, slots)) return;
    const offset = this.index.offset(at);
    if (kind === PACKED) {
      copyPacked(this.#view, this.index.dataStart + offset + CHECKSUM, run, out, to);
      return;
    }
    const { palette, indices } = keep
      ? this.#decoded(block, at, offset, slots, Effort.UNLIMITED)
      : this.#decode(block, at, offset, slots, Effort.UNLIMITED);
    const { first, stride, count } = run;
    for (let k = 0, slot = first; k < count; k++, slot += stride) out[to + k] = palette[indices[slot]!]!;
  }

  #decoded(block: number, at: number, offset: number, slots: number, effort: Effort): CachedBlock {
    const kept = this.#cache.get(offset);
    // Blocks with equal entries and slots share their bytes. A forged index may let others share them: a
    // block must not get the codes of another one, whichever was asked for first.
    if (kept !== undefined && kept.indices.length === slots && kept.length === this.index.length(at)) return kept;
    const decoded = this.#decode(block, at, offset, slots, effort);
    if (kept === undefined) {
      const bytes = decoded.palette.byteLength + decoded.indices.buffer.byteLength;
      this.#cache.set(offset, decoded, bytes + OVERHEAD);
    }
    return decoded;
  }

  /** Checks a block. Returns false if it has not arrived. */
  #check(block: number, at: number, kind: number, slots: number): boolean {
    const offset = this.index.offset(at);
    const start = this.index.dataStart + offset;
    const body = start + CHECKSUM;
    const end = start + this.index.length(at);
    if (!this.#file.has(start, end)) return false;
    const stored = this.#view.getUint32(start, true);
    const crc = crc32OfPart(this.#seed, offset, this.#file.bytes, body, end);
    if (crc !== stored) refuse("checksum", `block ${block}`, hex(stored, 8), hex(crc, 8));
    if (kind === PACKED) checkPacked(this.#view, body, end - body, slots, `block ${block}`);
    this.#checked[block] = 1;
    return true;
  }

  #decode(block: number, at: number, offset: number, slots: number, effort: Effort): CachedBlock {
    const start = this.index.dataStart + offset;
    const length = this.index.length(at);
    const body = this.#file.bytes.subarray(start + CHECKSUM, start + length);
    return { ...decodePaletteBlock(body, slots, `block ${block}`, effort), length };
  }
}
