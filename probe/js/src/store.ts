import { Blocks } from "./blocks.js";
import type { Code } from "./codes.js";
import type { Header } from "./header.js";
import type { Team } from "./moves.js";
import { Teams, Tiling } from "./numbering.js";

/** The codes that the table of a pursuit game stores: those of positions with the police to move. */
export class Store {
  readonly police: Teams;
  readonly thief: Tiling;
  readonly blocks: Blocks;

  constructor(bytes: Uint8Array, header: Header, cacheBytes: number) {
    this.police = new Teams(new Tiling(header.board, header.policeTile), header.rules.officers);
    this.thief = new Tiling(header.board, header.thiefTile);
    this.blocks = new Blocks(bytes, header, this.police.length * this.thief.length, cacheBytes);
  }

  /** The code stored for a team and a cell number; that of a terminal position means nothing. */
  code(police: Team, thief: number): Code {
    const { tile, size, rank } = this.police.place(police);
    const thiefTile = this.thief.tileOf[thief]!;
    const slot = this.thief.rankOf[thief]! * size + rank;
    const block = tile * this.thief.length + thiefTile;
    return this.blocks.code(block, slot, size * this.thief.cells[thiefTile]!);
  }

  /** How many slots each block has. */
  *slots(): Generator<number> {
    for (const teams of this.police.sizes()) {
      for (const cells of this.thief.cells) yield teams * cells;
    }
  }
}
