import { BlockReader } from "./block-reader.js";
import type { Board } from "./board.js";
import type { Cache } from "./cache.js";
import type { Code } from "./codes.js";
import { Effort } from "./effort.js";
import type { FileBytes } from "./file-bytes.js";
import { DragnetError } from "./errors.js";
import type { TileSize } from "./header.js";
import type { Preamble } from "./preamble.js";
import type { Team } from "./team-moves.js";
import { TeamTiling, Tiling } from "./numbering.js";

/** The part of a header that says where the codes are. */
export interface Layout extends Preamble {
  /** The board on which the thief stands. */
  readonly board: Board;
  /** The board on which officers stand, if it is another. */
  readonly policeBoard?: Board;
  readonly rules: { readonly officers: number };
  readonly policeTile: TileSize;
  readonly thiefTile: TileSize;
  /** The bytes of each section, which follow the positions. */
  readonly sections?: readonly number[];
}

/** Bytes of a block of a section, except for its last one. */
const SECTION_BLOCK = 2 ** 16;

/**
 * The codes that a pursuit table stores: one for each position with the police to move, and the bytes of its
 * sections.
 */
export class Store {
  readonly police: TeamTiling;
  readonly thief: Tiling;
  readonly blocks: BlockReader;
  readonly #boards: ReadonlySet<Board>;
  readonly #sections: readonly number[];

  constructor(file: FileBytes, header: Layout, cache: Cache) {
    const { board, policeBoard = board, policeTile, thiefTile, sections = [] } = header;
    const sameTiles = policeTile.rows === thiefTile.rows && policeTile.columns === thiefTile.columns;
    const alike = sameTiles && board === policeBoard;
    this.#boards = new Set([board, policeBoard]);
    this.#sections = sections;
    this.thief = new Tiling(board, thiefTile);
    const tiling = alike ? this.thief : new Tiling(policeBoard, policeTile);
    this.police = new TeamTiling(tiling, header.rules.officers);
    this.blocks = new BlockReader(file, header, this.#blocksBefore(sections.length), cache);
  }

  /**
   * Returns the code stored for a team and the thief's cell number, as part of a question that may need
   * `effort`; it has no meaning if the position is terminal.
   */
  code(police: Team, thief: number, effort = Effort.UNLIMITED): Code {
    const { tile, size, rank } = this.police.locate(police);
    const thiefTile = this.thief.tileOf[thief]!;
    const slot = this.thief.rankOf[thief]! * size + rank;
    const block = tile * this.thief.length + thiefTile;
    return this.blocks.code(block, slot, size * this.thief.cells[thiefTile]!, effort);
  }

  /** Returns the codes stored for a team and each cell of the thief, by cell number. */
  thiefRow(police: Team): Uint32Array {
    const { tile, size, rank } = this.police.locate(police);
    const byTile = new Uint32Array(this.thief.rankOf.length);
    let to = 0;
    for (let thiefTile = 0; thiefTile < this.thief.length; thiefTile++) {
      const count = this.thief.cells[thiefTile]!;
      const run = { first: rank, stride: size, count };
      this.blocks.copy(tile * this.thief.length + thiefTile, size * count, run, byTile, to);
      to += count;
    }
    return inOrder(byTile, this.thief);
  }

  /**
   * Returns the codes stored for the cells of a single officer, by cell number, and the thief's cell number.
   */
  policeRow(thief: number): Uint32Array {
    const tiling = this.police.tiling;
    const thiefTile = this.thief.tileOf[thief]!;
    const thiefRank = this.thief.rankOf[thief]!;
    const byTile = new Uint32Array(tiling.rankOf.length);
    let to = 0;
    for (let tile = 0; tile < tiling.length; tile++) {
      const count = tiling.cells[tile]!;
      const run = { first: thiefRank * count, stride: 1, count };
      const slots = count * this.thief.cells[thiefTile]!;
      this.blocks.copy(tile * this.thief.length + thiefTile, slots, run, byTile, to);
      to += count;
    }
    return inOrder(byTile, tiling);
  }

  /** Returns the bytes of a section; any where blocks have not arrived, which the file notes. */
  section(number: number): Uint8Array {
    const bytes = new Uint8Array(this.#sections[number]!);
    const codes = new Uint32Array(Math.min(SECTION_BLOCK, bytes.length));
    let block = this.#blocksBefore(number);
    for (let start = 0; start < bytes.length; start += SECTION_BLOCK, block++) {
      const count = Math.min(SECTION_BLOCK, bytes.length - start);
      this.blocks.copy(block, count, { first: 0, stride: 1, count }, codes, 0);
      for (let k = 0; k < count; k++) {
        const code = codes[k]!;
        if (code > 255) throw new DragnetError("block", `block ${block}: expected a byte, found ${code}`);
        bytes[start + k] = code;
      }
    }
    return bytes;
  }

  /** Returns the number of blocks before a section: those of the positions and of the sections before it. */
  #blocksBefore(section: number): number {
    const blocks = this.#sections.slice(0, section).map((bytes) => Math.ceil(bytes / SECTION_BLOCK));
    return blocks.reduce((sum, count) => sum + count, this.police.length * this.thief.length);
  }

  /** The bytes of memory that the boards and the places of positions take, about. */
  get byteLength(): number {
    const byteLength = [...this.#boards].reduce((sum, board) => sum + board.byteLength, 0);
    const tilings = this.police.tiling === this.thief ? 1 : 2;
    return OBJECTS + byteLength + tilings * this.thief.byteLength + this.blocks.index.blocks;
  }

  /** Yields the number of slots of each block. */
  *slots(): Generator<number> {
    for (const teams of this.police.sizes()) {
      for (const cells of this.thief.cells) yield teams * cells;
    }
    for (const bytes of this.#sections) {
      for (let start = 0; start < bytes; start += SECTION_BLOCK) yield Math.min(SECTION_BLOCK, bytes - start);
    }
  }
}

/** Bytes of the objects of a table. */
const OBJECTS = 8192;

/** Returns codes that are in the order of a tiling in the order of the cell numbers. */
function inOrder(byTile: Uint32Array, tiling: Tiling): Uint32Array {
  const { order } = tiling;
  const codes = new Uint32Array(byTile.length);
  for (let k = 0; k < order.length; k++) codes[order[k]!] = byTile[k]!;
  return codes;
}
