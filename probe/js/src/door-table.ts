import type { Cell } from "./board.js";
import { type Value, merit, valueOf } from "./codes.js";
import type { DoorBoard, DoorPosition } from "./door-board.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import { GameTable } from "./game-table.js";
import type { OpenOptions, TableBytes } from "./open.js";
import type { Side } from "./rules.js";

/** A move on a board with doors, with the value of the position after it. */
export interface DoorMove extends Value {
  /** The cell that the piece moves to, its own cell if it passes. */
  readonly to: Cell;
  /** The position after the move, in which keys and phase have moved on. */
  readonly after: Required<DoorPosition>;
}

/**
 * The table of a game on a board with doors, asked by positions on the board. If the game table was opened in
 * pieces, its `load` asks the questions: `await game.load(() => table.moves(position))`.
 */
export class DoorTable {
  /** The table as one that is asked by numbers. */
  readonly game: GameTable;
  /** The board, the rules, and the doors. */
  readonly doors: DoorBoard;
  /** The work of the question that is being answered. */
  readonly #effort = new Effort();

  /** @throws DragnetError of kind `unsupported` if the table is not of a board with doors */
  constructor(game: GameTable) {
    if (game.doors === null) {
      throw new DragnetError("unsupported", `expected the table of a board with doors, found one of ${game.name}`);
    }
    this.game = game;
    this.doors = game.doors;
  }

  /**
   * Opens a table in memory, as {@link GameTable.fromBytes} does.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if the table is
   *   not of a board with doors
   */
  static fromBytes(bytes: TableBytes, options: OpenOptions = {}): DoorTable {
    return new DoorTable(GameTable.fromBytes(bytes, options));
  }

  /**
   * Returns the value of a position.
   *
   * @throws DragnetError of kind `position` if there is no such position; otherwise as
   *   {@link GameTable.value}
   */
  value(position: DoorPosition): Value {
    const number = this.doors.number(position);
    return valueOf(this.game.codesOf([number], this.#effort.begin())[0]!, position.turn);
  }

  /**
   * Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equally
   * good ones in reading order. Empty if the position is terminal or the side to move is stuck.
   *
   * @throws DragnetError as {@link DoorTable.value}; of kind `work` if the position has too many moves
   */
  moves(position: DoorPosition): DoorMove[] {
    if (this.winner(position) !== undefined) return [];
    const effort = this.#effort.begin();
    const successors = this.doors.successorsWithin(position, effort);
    const codes = this.game.codesOf(
      successors.map((after) => this.doors.number(after)),
      effort,
    );
    const moves = successors.map((after, k) => ({ after, code: codes[k]! }));
    moves.sort((a, b) => merit(b.code) - merit(a.code));
    return moves.map(({ after, code }) => {
      const to = position.turn === "police" ? after.police : after.thief;
      return { to, after, ...valueOf(code, after.turn) };
    });
  }

  /**
   * Returns the best move, the first of {@link DoorTable.moves}; `undefined` if there is none.
   *
   * @throws DragnetError as {@link DoorTable.moves}
   */
  bestMove(position: DoorPosition): DoorMove | undefined {
    return this.moves(position)[0];
  }

  /**
   * Returns the side that has won a terminal position; `undefined` while the game goes on.
   *
   * @throws DragnetError of kind `position` if there is no such position
   */
  winner(position: DoorPosition): Side | undefined {
    return this.doors.winner(position);
  }
}
