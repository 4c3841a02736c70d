import type { Board } from "./board.js";
import type { TileSize } from "./header.js";
import type { Team } from "./moves.js";
import { allMultisets, multisets, rank } from "./multisets.js";

/** How the cells of a board are parted into tiles. */
export class Tiling {
  /** By cell number: the number of its tile. */
  readonly tileOf: Int32Array;
  /** By cell number: its rank within its tile. */
  readonly rankOf: Uint8Array;
  /** By tile: how many open cells it has. */
  readonly cells: Uint16Array;

  constructor(board: Board, { rows, columns }: TileSize) {
    const across = Math.ceil(board.width / columns);
    const places = new Int32Array(board.openCells);
    const occupied = new Uint16Array(Math.ceil(board.height / rows) * across);
    const rankOf = new Uint8Array(board.openCells);
    for (let cell = 0; cell < board.openCells; cell++) {
      const [row, column] = board.cellOf(cell);
      const place = Math.floor(row / rows) * across + Math.floor(column / columns);
      places[cell] = place;
      rankOf[cell] = occupied[place]!++;
    }
    const numbers = new Int32Array(occupied.length);
    let tiles = 0;
    occupied.forEach((cells, place) => {
      if (cells > 0) numbers[place] = tiles++;
    });
    this.tileOf = places.map((place) => numbers[place]!);
    this.rankOf = rankOf;
    this.cells = occupied.filter((cells) => cells > 0);
  }

  /** The number of tiles. */
  get length(): number {
    return this.cells.length;
  }

  /** The cell numbers of every tile, in the order of their ranks. */
  members(): Int32Array[] {
    const members = Array.from(this.cells, (cells) => new Int32Array(cells));
    this.tileOf.forEach((tile, cell) => {
      members[tile]![this.rankOf[cell]!] = cell;
    });
    return members;
  }
}

/** Where a team is stored. */
export interface TeamPlace {
  /** The number of its tile, which is the multiset of its officers' tiles. */
  readonly tile: number;
  /** How many teams the tile has. */
  readonly size: number;
  /** The team's number among them. */
  readonly rank: number;
}

/** How the teams of officers are parted into tiles; of one officer they are the tiles of his cells. */
export class Teams {
  /** How many tiles there are. */
  readonly length: number;
  readonly #tiling: Tiling;
  readonly #officers: number;

  constructor(tiling: Tiling, officers: number) {
    this.#tiling = tiling;
    this.#officers = officers;
    this.length = multisets(tiling.length, officers);
  }

  /** Where a team is. */
  place(team: Team): TeamPlace {
    const { tileOf, rankOf, cells } = this.#tiling;
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

  /** How many teams each tile has. */
  *sizes(): Generator<number> {
    const { cells } = this.#tiling;
    for (const tiles of allMultisets(cells.length, this.#officers)) {
      let size = 1;
      for (const tile of new Set(tiles)) {
        size *= multisets(cells[tile]!, tiles.filter((other) => other === tile).length);
      }
      yield size;
    }
  }

  /** The teams of each tile, by their ranks. */
  *members(): Generator<Team[]> {
    const cells = this.#tiling.members();
    for (const tiles of allMultisets(cells.length, this.#officers)) {
      let teams: Team[] = [[]];
      // The lowest tile's officers are the least significant digit.
      for (const tile of [...new Set(tiles)].reverse()) {
        const count = tiles.filter((other) => other === tile).length;
        const here = [...allMultisets(cells[tile]!.length, count)];
        teams = teams.flatMap((team) => here.map((ranks) => [...ranks.map((rank) => cells[tile]![rank]!), ...team]));
      }
      yield teams.map((team) => [...team].sort((a, b) => a - b));
    }
  }
}
