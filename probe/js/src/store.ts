import { Blocks } from "./blocks.js";
import type { Code } from "./codes.js";
import type { Header } from "./header.js";
import { Tiling } from "./numbering.js";

/** The codes that the table of a pursuit game stores: those of positions with the police to move. */
export class Store {
  readonly police: Tiling;
  readonly thief: Tiling;
  readonly blocks: Blocks;

  constructor(bytes: Uint8Array, header: Header, cacheBytes: number) {
    this.police = new Tiling(header.board, header.policeTile);
    this.thief = new Tiling(header.board, header.thiefTile);
    this.blocks = new Blocks(bytes, header, this.police.length * this.thief.length, cacheBytes);
  }

  /** The code stored for two cell numbers; that of a terminal position means nothing. */
  code(police: number, thief: number): Code {
    const policeTile = this.police.tileOf[police]!;
    const thiefTile = this.thief.tileOf[thief]!;
    const cells = this.police.cells[policeTile]!;
    const slot = this.thief.rankOf[thief]! * cells + this.police.rankOf[police]!;
    const block = policeTile * this.thief.length + thiefTile;
    return this.blocks.code(block, slot, cells * this.thief.cells[thiefTile]!);
  }

  /** How many slots a block has. */
  slots(block: number): number {
    return this.police.cells[Math.floor(block / this.thief.length)]! * this.thief.cells[block % this.thief.length]!;
  }
}
