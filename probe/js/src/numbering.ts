import type { Board } from "./board.js";
import type { TileSize } from "./header.js";

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
