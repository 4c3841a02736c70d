import type { Cell, Table } from "dragnet-probe";
import { isSameCell } from "./cell.js";
import { squareUnder } from "./layers.js";
import { CLOSED, squareOf, squaresOf } from "./scenario.js";

/** The most places in all worlds whose moves are looked at for doors. */
const MOST_PLACES = 2 ** 17;

/**
 * The squares of a table's board in each world. A square that no piece can enter in a world, although one can
 * in another world, is closed there.
 */
export class Doors {
  readonly #table: Table;
  readonly #squares: Uint8Array;
  /** For each world the squares with closed doors; `undefined` before they are asked for. */
  #worlds: readonly Uint8Array[] | undefined;

  constructor(table: Table) {
    this.#table = table;
    this.#squares = squaresOf(table.board);
  }

  /** Returns whether a door is closed in any world. */
  areThere(): boolean {
    return this.squaresIn(0) !== this.#squares && this.#worlds!.some((squares) => squares.includes(CLOSED));
  }

  /** Returns the kinds of all squares in a world. The same world gives the same list. */
  squaresIn(world: number): Uint8Array {
    const { worlds, places } = this.#table;
    if (worlds === 1 || worlds * (places.police.openCells + places.thief.openCells) > MOST_PLACES) return this.#squares;
    return (this.#worlds ??= this.#close())[world]!;
  }

  #close(): Uint8Array[] {
    const entered = Array.from({ length: this.#table.worlds }, (_, world) => this.#enteredIn(world));
    return entered.map((here) =>
      this.#squares.map((kind, square) => (here[square] !== 1 && entered.some((of) => of[square] === 1) ? CLOSED : kind)),
    );
  }

  /** Returns 1 for each square that a piece enters by a move in a world. */
  #enteredIn(world: number): Uint8Array {
    const { board, places } = this.#table;
    const entered = new Uint8Array(this.#squares.length);
    const enter = (from: Cell, to: Cell): void => {
      if (!isSameCell(squareUnder(from, board), squareUnder(to, board))) entered[squareOf(board, squareUnder(to, board))] = 1;
    };
    for (const side of ["police", "thief"] as const) {
      for (const from of places[side].cells()) {
        for (const { cell } of this.#table.pieceMoves(side, from, world)) enter(from, cell);
      }
    }
    return entered;
  }
}
