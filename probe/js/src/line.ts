import type { Board, Cell } from "./board.js";
import { type Code, DRAW, type Value, isLost, opponent, plies, valueOf } from "./codes.js";
import { DragnetError } from "./errors.js";
import type { Game, Place } from "./game.js";
import { rank } from "./multisets.js";
import type { Side } from "./rules.js";

/** A move of a line. */
export interface LineMove extends Value {
  /** Who moves. */
  readonly side: Side;
  /**
   * Where the piece goes; its own cell if it stays. Of several officers the cells of all after the move, in reading
   * order. The value is that after the move.
   */
  readonly to: Cell | readonly Cell[];
}

/** Optimal play from a position; the value is that of the position. */
export interface Line extends Value {
  readonly moves: readonly LineMove[];
  /**
   * How it ends: the police catches the thief, the thief reaches an exit, an officer reaches one where that wins, the
   * side to move cannot move, or a position comes up again.
   */
  readonly end: "caught" | "escaped" | "arrived" | "stuck" | "repetition";
}

type Best = (place: Place) => { after: Place; code: Code } | undefined;

/** Plays the best moves from a position to the end. Each value must be what the value before it promises. */
export function playOut(start: Place, board: Board, game: Game, best: Best): Line {
  let place = start;
  let code = game.code(place.police, place.thief, place.turn);
  const value = valueOf(code, place.turn);
  const moves: LineMove[] = [];
  const seen = new Set<number>();
  for (;;) {
    const { police, thief, turn } = place;
    const winner = game.winner(police, thief);
    if (winner === "thief") return { ...value, moves, end: "escaped" };
    if (winner === "police") return { ...value, moves, end: police.includes(thief) ? "caught" : "arrived" };
    const number = numberOf(place, board);
    if (seen.has(number)) return { ...value, moves, end: "repetition" };
    seen.add(number);
    const next = best(place);
    if (next === undefined) {
      if (code !== game.stuck) disagree(code, game.stuck);
      return { ...value, moves, end: "stuck" };
    }
    if (!follows(code, next.code)) disagree(code, next.code);
    moves.push({ side: turn, to: cellsOf(next.after, turn, board), ...valueOf(next.code, opponent(turn)) });
    place = next.after;
    code = next.code;
  }
}

/** The cell of the thief or of a single officer, or those of all officers. */
export function cellsOf(place: Place, side: Side, board: Board): Cell | Cell[] {
  if (side === "thief") return board.cellOf(place.thief);
  const cells = place.police.map((cell) => board.cellOf(cell));
  return cells.length === 1 ? cells[0]! : cells;
}

/** A number that no other position of a table has. */
function numberOf({ police, thief, turn }: Place, board: Board): number {
  return (rank(police) * board.openCells + thief) * 2 + (turn === "police" ? 0 : 1);
}

/** Whether the best move of a position with a code can lead to another code: the outcome stays, a ply is gone. */
function follows(code: Code, after: Code): boolean {
  if (code === DRAW || after === DRAW) return code === after;
  return isLost(code) !== isLost(after) && plies(code) === plies(after) + 1;
}

function disagree(code: Code, after: Code): never {
  throw new DragnetError(
    "contents",
    `expected the best move to lead on from code ${code}, found that it leads to ${after}`,
  );
}
