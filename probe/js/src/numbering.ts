import { type Board, type Numbers, numbersBelow } from "./board.js";
import type { TileSize } from "./kind.js";
import type { Team } from "./team-moves.js";
import { allMultisets, multisets, rank, unrank } from "./multisets.js";

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

/** A kind of officers with its tiles. */
export interface TiledKind {
  readonly tiling: Tiling;
  /** The number of its officers. */
  readonly pieces: number;
  /** The number of its first cell. */
  readonly first: number;
}

/** The officers of a kind who stand on one tile: a digit of the rank of a team. */
interface Digit {
  /** The numbers of the cells of the tile, in the order of their ranks. */
  readonly cells: Int32Array;
  /** The number of the kind's first cell. */
  readonly first: number;
  readonly officers: number;
}

/**
 * The division of all teams of officers into tiles. Teams belong to one tile if the officers of each kind
 * stand on the same multiset of the kind's tiles; for a single officer, the tiles are those of the kind.
 */
export class TeamTiling {
  /** The number of tiles. */
  readonly length: number;
  /** The number of teams. */
  readonly count: number;
  readonly kinds: readonly TiledKind[];

  constructor(kinds: readonly TiledKind[]) {
    this.kinds = kinds;
    this.length = kinds.reduce((product, { tiling, pieces }) => product * multisets(tiling.length, pieces), 1);
    this.count = kinds.reduce((product, kind) => product * teamsOf(kind), 1);
  }

  /** Returns the location of a team. */
  locate(team: Team): TeamLocation {
    if (team.length === 1) {
      const { tileOf, rankOf, cells } = this.kinds[0]!.tiling;
      const tile = tileOf[team[0]!]!;
      return { tile, size: cells[tile]!, rank: rankOf[team[0]!]! };
    }
    const location = { tile: 0, size: 1, rank: 0 };
    let tiles = 1;
    let at = 0;
    for (const { tiling, pieces, first } of this.kinds) {
      const { tileOf, rankOf, cells } = tiling;
      const byTile = team.slice(at, (at += pieces));
      if (first > 0) for (let k = 0; k < pieces; k++) byTile[k]! -= first;
      byTile.sort((a, b) => tileOf[a]! - tileOf[b]! || rankOf[a]! - rankOf[b]!);
      for (let start = 0; start < byTile.length; ) {
        const tile = tileOf[byTile[start]!]!;
        const ranks: number[] = [];
        for (; start < byTile.length && tileOf[byTile[start]!] === tile; start++) ranks.push(rankOf[byTile[start]!]!);
        location.rank += location.size * rank(ranks);
        location.size *= multisets(cells[tile]!, ranks.length);
      }
      location.tile += tiles * rank(byTile.map((cell) => tileOf[cell]!));
      tiles *= multisets(tiling.length, pieces);
    }
    return location;
  }

  /** Returns the number of a team among all teams. */
  numberOf(team: Team): number {
    if (this.kinds.length === 1) return rank(team);
    let number = 0;
    let radix = 1;
    let at = 0;
    for (const kind of this.kinds) {
      number += radix * rank(team.slice(at, (at += kind.pieces)).map((cell) => cell - kind.first));
      radix *= teamsOf(kind);
    }
    return number;
  }

  /** Returns the team that has a number. */
  teamOf(number: number): Team {
    let left = number;
    return this.kinds.flatMap((kind) => {
      const own = left % teamsOf(kind);
      left = (left - own) / teamsOf(kind);
      return unrank(own, kind.pieces).map((cell) => kind.first + cell);
    });
  }

  /** Yields the number of teams of each tile. */
  *sizes(): Generator<number> {
    for (const digits of this.#tiles()) {
      yield digits.reduce((size, { cells, officers }) => size * multisets(cells.length, officers), 1);
    }
  }

  /** Yields the teams of each tile in the order of their ranks. */
  *members(): Generator<Team[]> {
    for (const digits of this.#tiles()) {
      let teams: Team[] = [[]];
      // The first digit is the least significant one, and so the one that changes first.
      for (const { cells, first, officers } of digits.reverse()) {
        const here = [...allMultisets(cells.length, officers)];
        teams = teams.flatMap((team) => here.map((ranks) => [...ranks.map((rank) => first + cells[rank]!), ...team]));
      }
      yield teams.map((team) => [...team].sort((a, b) => a - b));
    }
  }

  /** Yields the digits of the ranks in each tile, the least significant first. */
  *#tiles(): Generator<Digit[]> {
    const members = this.kinds.map(({ tiling }) => tiling.members());
    /** Yields the digits of the first kinds, so many of them. */
    const digitsOf = function* (kinds: readonly TiledKind[]): Generator<Digit[]> {
      const last = kinds.at(-1);
      if (last === undefined) return yield [];
      const tilesOfLast = members[kinds.length - 1]!;
      for (const tiles of allMultisets(tilesOfLast.length, last.pieces)) {
        const own = [...new Set(tiles)].map((tile) => {
          const officers = tiles.filter((other) => other === tile).length;
          return { cells: tilesOfLast[tile]!, first: last.first, officers };
        });
        for (const lower of digitsOf(kinds.slice(0, -1))) yield [...lower, ...own];
      }
    };
    yield* digitsOf(this.kinds);
  }
}

/** Returns the number of teams of the officers of a kind. */
function teamsOf({ tiling, pieces }: TiledKind): number {
  return multisets(tiling.rankOf.length, pieces);
}
