import type { Cell } from "./board.js";
import { type Code, DRAW, type Value, isLost, plies, valueOf } from "./codes.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import type { Ending, Game, Placement, Successor } from "./game.js";
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

/** Returns the best successor of a position and its code, `undefined` if the side to move has no move. */
type BestSuccessor = (from: Placement) => Successor | undefined;

/** The part of a table by which lines are played. */
interface Ground {
  readonly places: Places;
  readonly game: Game;
}

/**
 * Plays the best moves from a position to the end, and checks that each value follows from the next one.
 *
 * @param numberOf returns a number that is unique to a position
 */
export function playOut(
  start: Placement,
  from: Position,
  { places, game }: Ground,
  best: BestSuccessor,
  numberOf: (placement: Placement) => number,
): Line {
  let placement = start;
  let position = from;
  let code = game.code(start.world, start.police, start.thief, start.turn, new Effort());
  const value = valueOf(code, start.turn);
  const moves: LineMove[] = [];
  const seen = new Set<number>();
  for (;;) {
    const ending = game.ending(placement.world, placement.police, placement.thief);
    if (ending !== undefined) return { ...value, moves, end: ending };
    const number = numberOf(placement);
    if (seen.has(number)) return { ...value, moves, end: "repetition" };
    seen.add(number);
    const next = best(placement);
    if (next === undefined) {
      if (code !== game.stuck) refuseStep(code, game.stuck);
      return { ...value, moves, end: "stuck" };
    }
    if (!follows(code, next.code)) refuseStep(code, next.code);
    const move = moveTo(position, next, places);
    moves.push({ side: placement.turn, ...move });
    placement = next.after;
    position = move.position;
    code = next.code;
  }
}

/** Returns the move from a position to a successor. */
export function moveTo(from: Position, { after, code }: Successor, places: Places): Move {
  const position = positionAfter(from, after, places);
  const to = from.turn === "police" ? position.police : position.thief;
  return { to, position, ...valueOf(code, after.turn) };
}

/**
 * Returns whether optimal play can lead from `code` to `after`: the winner stays, and the distance shrinks by
 * a ply.
 */
function follows(code: Code, after: Code): boolean {
  if (code === DRAW || after === DRAW) return code === after;
  return isLost(code) !== isLost(after) && plies(code) === plies(after) + 1;
}

function refuseStep(code: Code, after: Code): never {
  throw new DragnetError(
    "contents",
    `values along a line: expected a best move that fits code ${code}, found one that leads to code ${after}`,
  );
}
