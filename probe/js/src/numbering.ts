import { type Board, type Numbers, numbersBelow } from "./board.js";
import type { TileSize } from "./kind.js";
import type { Team } from "./team-moves.js";
import { allMultisets, multisets, rank } from "./multisets.js";

/** The division of a board's cells into tiles. Only tiles with an open cell are numbered. */
export class Tiling {
  /** The tile of each cell number. */
  readonly tileOf: Numbers;
  /** The rank of each cell number within its tile. */
  readonly rankOf: Uint8Array;
  /** The number of open cells of each tile. */
  readonly cells: Uint16Array;
  #order: Int32Array | undefined;

  constructor(board: Board, { rows, columns }: TileSize) {
    const across = Math.ceil(board.width / columns);
    const rectangleOf = new Int32Array(board.openCells);
    const occupied = new Uint16Array(Math.ceil(board.height / rows) * across);
    const rankOf = new Uint8Array(board.openCells);
    for (let cell = 0; cell < board.openCells; cell++) {
      const [row, column] = board.cellOf(cell);
      const rectangle = Math.floor(row / rows) * across + Math.floor(column / columns);
      rectangleOf[cell] = rectangle;
      rankOf[cell] = occupied[rectangle]!++;
    }
    const tileOf = new Int32Array(occupied.length);
    let tiles = 0;
    occupied.forEach((cells, rectangle) => {
      if (cells > 0) tileOf[rectangle] = tiles++;
    });
    this.tileOf = numbersBelow(tiles, board.openCells);
    rectangleOf.forEach((rectangle, cell) => {
      this.tileOf[cell] = tileOf[rectangle]!;
    });
    this.rankOf = rankOf;
    this.cells = occupied.filter((cells) => cells > 0);
  }

  /** The cell numbers tile by tile, within a tile in the order of their ranks. */
  get order(): Int32Array {
    return (this.#order ??= this.#listByTile());
  }

  /** The number of tiles. */
  get length(): number {
    return this.cells.length;
  }

  /** The bytes of the lists. */
  get byteLength(): number {
    return this.tileOf.byteLength + this.rankOf.byteLength + this.cells.byteLength;
  }

  #listByTile(): Int32Array {
    const order = new Int32Array(this.tileOf.length);
    const next = new Int32Array(this.length);
    for (let tile = 1; tile < this.length; tile++) next[tile] = next[tile - 1]! + this.cells[tile - 1]!;
    for (let cell = 0; cell < order.length; cell++) order[next[this.tileOf[cell]!]!++] = cell;
    return order;
  }

  /** Returns the cell numbers of each tile in the order of their ranks. */
  members(): Int32Array[] {
    let start = 0;
    return Array.from(this.cells, (cells) => this.order.subarray(start, (start += cells)));
  }
}

/** The location of a team in a {@link TeamTiling}. */
export interface TeamLocation {
  /** The number of the team's tile. */
  readonly tile: number;
  /** The number of teams in the tile. */
  readonly size: number;
  /** The rank of the team within the tile. */
  readonly rank: number;
}

/**
 * The division of all teams of officers into tiles. Teams belong to one tile if their officers stand on the
 * same multiset of board tiles; for a single officer, the tiles are those of the board.
 */
export class TeamTiling {
  /** The number of tiles. */
  readonly length: number;
  /** The number of teams. */
  readonly count: number;
  /** The tiles in which each officer stands. */
  readonly tiling: Tiling;
  readonly #officers: number;

  constructor(tiling: Tiling, officers: number) {
    this.tiling = tiling;
    this.#officers = officers;
    this.length = multisets(tiling.length, officers);
    this.count = multisets(tiling.rankOf.length, officers);
  }

  /** Returns the location of a team. */
  locate(team: Team): TeamLocation {
    const { tileOf, rankOf, cells } = this.tiling;
    if (team.length === 1) {
      const tile = tileOf[team[0]!]!;
      return { tile, size: cells[tile]!, rank: rankOf[team[0]!]! };
    }
    const byTile = [...team].sort((a, b) => tileOf[a]! - tileOf[b]! || rankOf[a]! - rankOf[b]!);
    let number = 0;
    let size = 1;
    for (let start = 0; start < byTile.length; ) {
      const tile = tileOf[byTile[start]!]!;
      const ranks: number[] = [];
      for (; start < byTile.length && tileOf[byTile[start]!] === tile; start++) ranks.push(rankOf[byTile[start]!]!);
      number += size * rank(ranks);
      size *= multisets(cells[tile]!, ranks.length);
    }
    return { tile: rank(byTile.map((cell) => tileOf[cell]!)), size, rank: number };
  }

  /** Yields the number of teams of each tile. */
  *sizes(): Generator<number> {
    const { cells } = this.tiling;
    for (const tiles of allMultisets(cells.length, this.#officers)) {
      let size = 1;
      for (const tile of new Set(tiles)) {
        size *= multisets(cells[tile]!, tiles.filter((other) => other === tile).length);
      }
      yield size;
    }
  }

  /** Yields the teams of each tile in the order of their ranks. */
  *members(): Generator<Team[]> {
    const cells = this.tiling.members();
    for (const tiles of allMultisets(cells.length, this.#officers)) {
      let teams: Team[] = [[]];
      // The officers in the lowest board tile are the least significant digit of the rank.
      for (const tile of [...new Set(tiles)].reverse()) {
        const count = tiles.filter((other) => other === tile).length;
        const here = [...allMultisets(cells[tile]!.length, count)];
        teams = teams.flatMap((team) => here.map((ranks) => [...ranks.map((rank) => cells[tile]![rank]!), ...team]));
      }
      yield teams.map((team) => [...team].sort((a, b) => a - b));
    }
  }
}
