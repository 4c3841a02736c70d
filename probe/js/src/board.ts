import { DragnetError } from "./errors.js";

/** A row and a column, both from 0; row 0 is on top, column 0 on the left. */
export type Cell = readonly [row: number, column: number];

/** The kind of a square. Pieces stand on open squares and exits, which are together called open cells. */
export type Square = "wall" | "open" | "exit";

/** The most squares of a board. */
export const MOST_SQUARES = 2 ** 20;

const SQUARES: readonly Square[] = ["wall", "open", "exit"];
/** The characters of the squares in {@link Board.text}. */
const CHARACTERS = "#.E";
const EXIT = 2;

/** A list of numbers that may be stored in 16 bits each. */
export type Numbers = Uint16Array | Int32Array;

/** Returns a list of zeros for numbers below `limit`. */
export function numbersBelow(limit: number, length: number): Numbers {
  return limit <= 2 ** 16 ? new Uint16Array(length) : new Int32Array(length);
}

/** A board. Its open cells, exits included, are numbered from 0 in reading order. */
export class Board {
  /** The number of rows, at least 1. */
  readonly height: number;
  /** The number of columns, at least 1. */
  readonly width: number;
  /** The number of squares that are open or an exit, at least 1. */
  readonly openCells: number;
  /**
   * The bytes of the lists of squares and cells that the board does not share.
   *
   * @internal
   */
  readonly byteLength: number;
  readonly #squares: Uint8Array;
  /** One more than the cell number of each square in reading order, 0 for a wall. */
  readonly #numbers: Numbers;
  /** The square of each cell number, counted in reading order. */
  readonly #squareOf: Numbers;

  /**
   * @internal
   * @param squares the number of each square in reading order: 0 a wall, 1 open, 2 an exit; not all are walls
   * @param like a board with the same open cells, which shares its lists
   */
  constructor(height: number, width: number, squares: Uint8Array, like?: Board) {
    this.height = height;
    this.width = width;
    this.#squares = squares;
    if (like !== undefined) {
      this.openCells = like.openCells;
      this.#numbers = like.#numbers;
      this.#squareOf = like.#squareOf;
      this.byteLength = squares.byteLength;
      return;
    }
    let open = 0;
    for (const square of squares) if (square !== 0) open++;
    this.openCells = open;
    const numbers = numbersBelow(open + 1, squares.length);
    this.#numbers = numbers;
    this.#squareOf = numbersBelow(squares.length, open);
    for (let square = 0, number = 0; square < squares.length; square++) {
      if (squares[square] === 0) continue;
      this.#squareOf[number] = square;
      numbers[square] = ++number;
    }
    this.byteLength = squares.byteLength + numbers.byteLength + this.#squareOf.byteLength;
  }

  /**
   * Returns boards one below the other.
   *
   * @internal
   */
  static stacked(width: number, boards: readonly Board[]): Board {
    if (boards.length === 1) return boards[0]!;
    const height = boards.reduce((sum, board) => sum + board.height, 0);
    const squares = new Uint8Array(height * width);
    let at = 0;
    for (const board of boards) {
      squares.set(board.#squares, at);
      at += board.#squares.length;
    }
    return new Board(height, width, squares);
  }

  /** Returns the open cells, exits included, in reading order. */
  cells(): Cell[] {
    return Array.from({ length: this.openCells }, (_, number) => this.cellOf(number));
  }

  /** The rows, each ended by LF, of `#` for a wall, `.` for an open square and `E` for an exit. */
  get text(): string {
    const rows = Array.from({ length: this.height }, (_, row) => {
      const squares = this.#squares.subarray(row * this.width, (row + 1) * this.width);
      return `${Array.from(squares, (square) => CHARACTERS[square]).join("")}\n`;
    });
    return rows.join("");
  }

  /** Returns the exits in reading order. */
  exits(): Cell[] {
    return this.cells().filter((_, number) => this.#squares[this.#squareOf[number]!] === EXIT);
  }

  /**
   * Returns whether another board has the same size and the same squares.
   *
   * @internal
   */
  equals(other: Board): boolean {
    if (this === other) return true;
    if (this.height !== other.height || this.width !== other.width) return false;
    return this.#squares.every((square, k) => square === other.#squares[k]);
  }

  /**
   * Returns the kind of the square in a row and column.
   *
   * @throws DragnetError of kind `argument` if the square is off the board
   */
  square(row: number, column: number): Square {
    if (!this.has(row, column)) {
      throw new DragnetError("argument", `the cell ${row},${column} is off the board, ${this.#extent()}`);
    }
    return SQUARES[this.#squares[row * this.width + column]!]!;
  }

  /** Returns whether a row and column are on the board. */
  has(row: number, column: number): boolean {
    return (
      Number.isInteger(row) && Number.isInteger(column) &&
      row >= 0 && row < this.height && column >= 0 && column < this.width
    );
  }

  /**
   * Returns the number of the cell on which a piece stands.
   *
   * @throws DragnetError of kind `position` if it is off the board or a wall
   * @internal
   */
  numberOf(cell: Cell, piece: string): number {
    const row = cell?.[0];
    const column = cell?.[1];
    if (!this.has(row, column)) {
      throw new DragnetError("position", `the ${piece}'s cell ${row},${column} is off the board, ${this.#extent()}`);
    }
    const number = this.numberOn(row * this.width + column);
    if (number < 0) {
      throw new DragnetError("position", `the ${piece}'s cell ${row},${column} is a wall; expected an open cell`);
    }
    return number;
  }

  /**
   * Returns the number of the open cell on a square, counted in reading order; -1 if there is none.
   *
   * @internal
   */
  numberOn(square: number): number {
    return (this.#numbers[square] ?? 0) - 1;
  }

  /**
   * Returns the row and column of a cell number.
   *
   * @internal
   */
  cellOf(number: number): [row: number, column: number] {
    const square = this.#squareOf[number]!;
    const column = square % this.width;
    return [(square - column) / this.width, column];
  }

  /**
   * Returns the square of a cell number, counted in reading order.
   *
   * @internal
   */
  squareOf(number: number): number {
    return this.#squareOf[number]!;
  }

  #extent(): string {
    if (this.height === 0) return "which has no rows";
    return `whose rows go from 0 to ${this.height - 1} and columns from 0 to ${this.width - 1}`;
  }
}
