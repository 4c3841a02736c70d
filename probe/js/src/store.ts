import { BlockReader } from "./block-reader.js";
import type { Cache } from "./cache.js";
import type { Code } from "./codes.js";
import { Effort } from "./effort.js";
import type { FileBytes } from "./file-bytes.js";
import { refuse } from "./errors.js";
import type { Placement } from "./game.js";
import type { Header } from "./header.js";
import type { KindFields } from "./kind.js";
import type { Team } from "./team-moves.js";
import { TeamTiling, Tiling } from "./numbering.js";

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
  readonly worlds: number;
  /** The bytes of memory that places and tiles take, each counted once. */
  readonly #bytes: number;
  readonly #sections: readonly number[];

  constructor(file: FileBytes, header: Header, cache: Cache) {
    const { worlds, kinds, places, sections } = header;
    const tilings = new Map<string, Tiling>();
    const grids = new Set([places.police, places.thief]);
    const tilingOf = ({ places, tile }: KindFields): Tiling => {
      grids.add(places);
      const key = `${[...grids].indexOf(places)} ${tile.rows} ${tile.columns}`;
      const tiling = tilings.get(key) ?? new Tiling(places, tile);
      tilings.set(key, tiling);
      return tiling;
    };
    let first = 0;
    this.police = new TeamTiling(kinds.police.map((kind) => {
      const tiled = { tiling: tilingOf(kind), pieces: kind.pieces, first };
      first += kind.places.openCells;
      return tiled;
    }));
    this.thief = tilingOf(kinds.thief[0]!);
    this.#bytes = [...grids, ...tilings.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#sections = sections;
    this.worlds = worlds;
    this.blocks = new BlockReader(file, header, this.#blocksBefore(sections.length), cache);
  }

  /** Returns the number of a position among all positions with one side to move. */
  numberOf(world: number, police: Team, thief: number): number {
    return (world * this.police.count + this.police.numberOf(police)) * this.thief.rankOf.length + thief;
  }

  /** Returns a number that is unique to a position. */
  positionNumber({ world, police, thief, turn }: Placement): number {
    return 2 * this.numberOf(world, police, thief) + (turn === "police" ? 0 : 1);
  }

  /** Returns the position that has a number. */
  placementOf(number: number): Placement {
    const pieces = Math.floor(number / 2);
    const thief = pieces % this.thief.rankOf.length;
    const team = (pieces - thief) / this.thief.rankOf.length;
    const police = this.police.teamOf(team % this.police.count);
    const world = Math.floor(team / this.police.count);
    return { world, police, thief, turn: number % 2 === 0 ? "police" : "thief" };
  }

  /**
   * Returns the code stored for a team and the thief's cell number in a world, as part of a question that may
   * need `effort`; it has no meaning if the position is terminal.
   */
  code(world: number, police: Team, thief: number, effort = Effort.UNLIMITED): Code {
    const { tile, size, rank } = this.police.locate(police);
    const thiefTile = this.thief.tileOf[thief]!;
    const slot = this.thief.rankOf[thief]! * size + rank;
    return this.blocks.code(this.block(world, tile, thiefTile), slot, size * this.thief.cells[thiefTile]!, effort);
  }

  /** Returns the codes stored for a team and each cell of the thief in a world, by cell number. */
  thiefRow(world: number, police: Team): Uint32Array {
    const { tile, size, rank } = this.police.locate(police);
    return this.#row(this.thief, (thiefTile, count, codes, to) => {
      const run = { first: rank, stride: size, count };
      this.blocks.copy(this.block(world, tile, thiefTile), size * count, run, codes, to);
    });
  }

  /**
   * Returns the codes stored for the cells of a single officer, by cell number, and the thief's cell number
   * in a world.
   */
  policeRow(world: number, thief: number): Uint32Array {
    const thiefTile = this.thief.tileOf[thief]!;
    const thieves = this.thief.cells[thiefTile]!;
    return this.#row(this.police.kinds[0]!.tiling, (tile, count, codes, to) => {
      const run = { first: this.thief.rankOf[thief]! * count, stride: 1, count };
      this.blocks.copy(this.block(world, tile, thiefTile), count * thieves, run, codes, to);
    });
  }

  /** Returns the codes of all cells of a tiling, by cell number, of which `copy` copies those of one tile. */
  #row(tiling: Tiling, copy: (tile: number, count: number, codes: Uint32Array, to: number) => void): Uint32Array {
    const { order, cells } = tiling;
    const byTile = new Uint32Array(order.length);
    let to = 0;
    cells.forEach((count, tile) => {
      copy(tile, count, byTile, to);
      to += count;
    });
    const codes = new Uint32Array(order.length);
    for (let k = 0; k < order.length; k++) codes[order[k]!] = byTile[k]!;
    return codes;
  }

  /** Returns the number of the block of a police tile and a thief tile in a world. */
  block(world: number, policeTile: number, thiefTile: number): number {
    return (world * this.police.length + policeTile) * this.thief.length + thiefTile;
  }

  /** Returns the bytes of a section; any where blocks have not arrived, which the file notes. */
  section(number: number): Uint8Array {
    const bytes = new Uint8Array(this.#sections[number]!);
    const codes = new Uint32Array(Math.min(SECTION_BLOCK, bytes.length));
    let block = this.#blocksBefore(number);
    for (let start = 0; start < bytes.length; start += SECTION_BLOCK, block++) {
      const count = Math.min(SECTION_BLOCK, bytes.length - start);
      this.blocks.copy(block, count, { first: 0, stride: 1, count }, codes, 0, false);
      let bits = 0;
      for (let k = 0; k < count; k++) bits |= bytes[start + k] = codes[k]!;
      if (bits >>> 8 !== 0) {
        const found = codes.find((code) => code > 255);
        refuse("block", `block ${block}`, "bytes", found);
      }
    }
    return bytes;
  }

  /** Reads the sections, and yields the number of blocks of each one. */
  *checkSections(): Generator<number> {
    for (let section = 0; section < this.#sections.length; section++) {
      this.section(section);
      yield this.#blocksBefore(section + 1) - this.#blocksBefore(section);
    }
  }

  /** Returns the number of blocks before a section: those of the positions and of the sections before it. */
  #blocksBefore(section: number): number {
    const blocks = this.#sections.slice(0, section).map((bytes) => Math.ceil(bytes / SECTION_BLOCK));
    return blocks.reduce((sum, count) => sum + count, this.worlds * this.police.length * this.thief.length);
  }

  /** The bytes of memory that places and the numbers of positions take, about. */
  get byteLength(): number {
    return OBJECTS + this.#bytes + this.blocks.index.blocks;
  }

  /** Yields the number of slots of each block. */
  *slots(): Generator<number> {
    for (let world = 0; world < this.worlds; world++) {
      for (const teams of this.police.sizes()) {
        for (const cells of this.thief.cells) yield teams * cells;
      }
    }
    for (const bytes of this.#sections) {
      for (let start = 0; start < bytes; start += SECTION_BLOCK) yield Math.min(SECTION_BLOCK, bytes - start);
    }
  }
}

/** Bytes of the objects of a table. */
const OBJECTS = 8192;
