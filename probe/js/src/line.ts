import type { Cell } from "./board.js";
import { type Code, DRAW, type Value, isLost, plies, valueOf } from "./codes.js";
import { refuse } from "./errors.js";
import type { Ending, Successor } from "./game.js";
import type { Places } from "./kind.js";
import { type FullPosition, type Position, positionAfter } from "./placing.js";
import type { Side } from "./rules.js";

/** A legal move, with the value of the position after it. */
export interface Move<N extends number = number> extends Value {
  /**
   * The cell that the piece moves to, its own cell if it passes. With several officers or none, a police move
   * lists the cells of all officers after the move, in reading order.
   */
  readonly to: Target<N>;
  /** The position after the move, with the world to which the move leads. */
  readonly position: FullPosition;
}

/** A move of a {@link Line}. */
export interface LineMove<N extends number = number> extends Move<N> {
  /** The side that moves. */
  readonly side: Side;
}

/**
 * The cell that a piece moves to, or the cells of all officers: a single cell in a table that is known to
 * have one officer.
 */
export type Target<N extends number> = N extends 1 ? Cell : Cell | readonly Cell[];

/** Optimal play from a position to the end, with the value of that position. */
export interface Line<N extends number = number> extends Value {
  /** The moves; as many as the distance, unless the position is a draw. */
  readonly moves: readonly LineMove<N>[];
  /**
   * How the line ends: an officer captures the thief (`caught`), the thief reaches an exit (`escaped`), an
   * officer reaches a place where that wins (`arrived`), the side to move has no move (`stuck`), or a
   * position of a draw occurs again (`repetition`).
   */
  readonly end: Ending | "stuck" | "repetition";
}

/** Returns the move from a position to a successor. */
export function moveTo(from: Position, { after, code }: Successor, places: Places): Move {
  const position = positionAfter(from, after, places);
  const to = from.turn === "police" ? position.police : position.thief;
  return { to, position, ...valueOf(code, after.turn) };
}

/**
 * Throws unless optimal play can lead from `code` to `after`: the winner stays, and the distance shrinks by a
 * ply.
 */
export function checkStep(code: Code, after: Code): void {
  const isDraw = code === DRAW || after === DRAW;
  if (isDraw ? code === after : isLost(code) !== isLost(after) && plies(code) === plies(after) + 1) return;
  refuseStep(code, after);
}

/** Throws the error for a best move that contradicts the value of its position. */
export function refuseStep(code: Code, after: Code): never {
  refuse("contents", "values along a line", `a best move that fits code ${code}`, `one that leads to code ${after}`);
}
