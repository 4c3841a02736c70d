import { DragnetError } from "./errors.js";

/** A row and a column, both from 0; row 0 is on top, column 0 on the left. */
export type Cell = readonly [row: number, column: number];

/** What a square of the board is. Pieces stand on open squares and on exits. */
export type Square = "wall" | "open" | "exit";

const SQUARES: readonly Square[] = ["wall", "open", "exit"];
const EXIT = 2;

/** The board of a table. Its open cells, exits included, are numbered from 0 in reading order. */
export class Board {
  /** Rows, at least 1. */
  readonly height: number;
  /** Columns, at least 1. */
  readonly width: number;
  /** How many squares are open or an exit, at least 1. */
  readonly openCells: number;
  readonly #squares: Uint8Array;
  /** By square in reading order: the number of the cell, -1 for a wall. */
  readonly #numbers: Int32Array;
  /** By cell number: the square in reading order. */
  readonly #places: Int32Array;
  /** By cell number: 1 if the cell is an exit. */
  readonly #exits: Uint8Array;

  /**
   * @internal
   * @param packed two bits per square, of the right length
   */
  constructor(height: number, width: number, packed: Uint8Array) {
    const size = height * width;
    const squares = new Uint8Array(size);
    const numbers = new Int32Array(size).fill(-1);
    let open = 0;
    for (let square = 0; square < size; square++) {
      const kind = (packed[square >> 2]! >> (2 * (square & 3))) & 3;
      if (kind === 3) {
        throw new DragnetError("header", `header, board squares: expected 0 to 2, found 3 at square ${square}`);
      }
      squares[square] = kind;
      if (kind !== 0) numbers[square] = open++;
    }
    const used = size & 3;
    if (used !== 0 && packed[packed.length - 1]! >> (2 * used) !== 0) {
      throw new DragnetError("header", "header, board squares: expected unused bits of 0, found others");
    }
    if (open === 0) {
      throw new DragnetError("header", "header, board squares: expected an open square or an exit, found only walls");
    }
    this.height = height;
    this.width = width;
    this.openCells = open;
    this.#squares = squares;
    this.#numbers = numbers;
    this.#places = new Int32Array(open);
    this.#exits = new Uint8Array(open);
    for (let square = 0; square < size; square++) {
      const number = numbers[square]!;
      if (number < 0) continue;
      this.#places[number] = square;
      this.#exits[number] = squares[square] === EXIT ? 1 : 0;
    }
  }

  /**
   * What stands at a row and column.
   *
   * @throws DragnetError of kind `argument` off the board
   */
  square(row: number, column: number): Square {
    if (!this.has(row, column)) {
      throw new DragnetError("argument", `the cell ${row},${column} is off the board, ${this.#extent()}`);
    }
    return SQUARES[this.#squares[row * this.width + column]!]!;
  }

  /** Whether there is such a row and column. */
  has(row: number, column: number): boolean {
    return (
      Number.isInteger(row) && Number.isInteger(column) &&
      row >= 0 && row < this.height && column >= 0 && column < this.width
    );
  }

  /**
   * The number of the cell on which a piece stands.
   *
   * @internal
   */
  numberOf(cell: Cell, piece: string): number {
    const row = cell?.[0];
    const column = cell?.[1];
    if (!this.has(row, column)) {
      throw new DragnetError("position", `the ${piece}'s cell ${row},${column} is off the board, ${this.#extent()}`);
    }
    const number = this.#numbers[row * this.width + column]!;
    if (number < 0) throw new DragnetError("position", `the ${piece}'s cell ${row},${column} is a wall`);
    return number;
  }

  /**
   * The number of an open cell, -1 for a wall; the row and column must be on the board.
   *
   * @internal
   */
  numberAt(row: number, column: number): number {
    return this.#numbers[row * this.width + column]!;
  }

  /**
   * The row and column of a cell number.
   *
   * @internal
   */
  cellOf(number: number): [row: number, column: number] {
    const square = this.#places[number]!;
    const column = square % this.width;
    return [(square - column) / this.width, column];
  }

  /**
   * Whether a cell number is an exit's.
   *
   * @internal
   */
  isExit(number: number): boolean {
    return this.#exits[number] === 1;
  }

  #extent(): string {
    return `whose rows go from 0 to ${this.height - 1} and columns from 0 to ${this.width - 1}`;
  }
}
