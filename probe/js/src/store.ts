import { BlockReader } from "./block-reader.js";
import type { Board } from "./board.js";
import type { Cache } from "./cache.js";
import type { Code } from "./codes.js";
import { Effort } from "./effort.js";
import type { FileBytes } from "./file-bytes.js";
import type { Header } from "./header.js";
import type { Team } from "./team-moves.js";
import { TeamTiling, Tiling } from "./numbering.js";

/** The codes that a pursuit table stores: one for each position with the police to move. */
export class Store {
  readonly police: TeamTiling;
  readonly thief: Tiling;
  readonly blocks: BlockReader;
  readonly #board: Board;

  constructor(file: FileBytes, header: Header, cache: Cache) {
    const { board, policeTile, thiefTile } = header;
    const alike = policeTile.rows === thiefTile.rows && policeTile.columns === thiefTile.columns;
    this.#board = board;
    this.thief = new Tiling(board, thiefTile);
    this.police = new TeamTiling(alike ? this.thief : new Tiling(board, policeTile), header.rules.officers);
    this.blocks = new BlockReader(file, header, this.police.length * this.thief.length, cache);
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

  /** The bytes of memory that the board and the places of positions take, about. */
  get byteLength(): number {
    const { byteLength } = this.#board;
    const tilings = this.police.tiling === this.thief ? 1 : 2;
    return OBJECTS + byteLength + tilings * this.thief.byteLength + this.blocks.index.blocks;
  }

  /** Yields the number of slots of each block. */
  *slots(): Generator<number> {
    for (const teams of this.police.sizes()) {
      for (const cells of this.thief.cells) yield teams * cells;
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
