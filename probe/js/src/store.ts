import { BlockReader } from "./block-reader.js";
import type { Code } from "./codes.js";
import type { Header } from "./header.js";
import type { Team } from "./moves.js";
import { TeamTiling, Tiling } from "./numbering.js";

/** The codes that a pursuit table stores: one for each position with the police to move. */
export class Store {
  readonly police: TeamTiling;
  readonly thief: Tiling;
  readonly blocks: BlockReader;

  constructor(bytes: Uint8Array, header: Header, cacheBytes: number) {
    this.police = new TeamTiling(new Tiling(header.board, header.policeTile), header.rules.officers);
    this.thief = new Tiling(header.board, header.thiefTile);
    this.blocks = new BlockReader(bytes, header, this.police.length * this.thief.length, cacheBytes);
  }

  /**
   * Returns the code stored for a team and the thief's cell number; it has no meaning if the position is
   * terminal.
   */
  code(police: Team, thief: number): Code {
    const { tile, size, rank } = this.police.locate(police);
    const thiefTile = this.thief.tileOf[thief]!;
    const slot = this.thief.rankOf[thief]! * size + rank;
    const block = tile * this.thief.length + thiefTile;
    return this.blocks.code(block, slot, size * this.thief.cells[thiefTile]!);
  }

  /** Yields the number of slots of each block. */
  *slots(): Generator<number> {
    for (const teams of this.police.sizes()) {
      for (const cells of this.thief.cells) yield teams * cells;
    }
  }
}
