import type { Side } from "./rules.js";

/** The winner of a position, or `draw`. */
export type Outcome = Side | "draw";

/** The value of a position with best play. */
export interface Value {
  /** The winner, or `draw`. */
  readonly outcome: Outcome;
  /** The distance to the win in plies, one turn of one side each; `null` for a draw. */
  readonly dtw: number | null;
}

/**
 * A value as the format encodes it, for the side to move: 0 is a draw, 1 + 2n a loss and 2 + 2n a win in n
 * plies.
 */
export type Code = number;

export const DRAW: Code = 0;
export const LOST: Code = 1;
export const WON: Code = 2;

/** The greatest distance in plies. */
export const MOST_PLIES = 2 ** 30 - 1;

/** The greatest code: a win in the greatest distance. */
export const MOST_CODE: Code = WON + 2 * MOST_PLIES;

/** Returns whether a code is a loss for the side to move. */
export function isLost(code: Code): boolean {
  return (code & 1) === 1;
}

/** Returns the distance in plies of a code that is not a draw. */
export function plies(code: Code): number {
  return (code - 1) >>> 1;
}

/** Returns the value that a code stands for with `turn` to move. */
export function valueOf(code: Code, turn: Side): Value {
  if (code === DRAW) return { outcome: "draw", dtw: null };
  return { outcome: isLost(code) ? opponent(turn) : turn, dtw: plies(code) };
}

/** Returns the other side. */
export function opponent(side: Side): Side {
  return side === "police" ? "thief" : "police";
}

/** The merit of a successor that is won at once; its opposite is that of one lost at once. */
export const MOST_MERIT = 2 ** 31 - 1;

/**
 * Returns how good a successor is for the side that moves to it, given the successor's code, which is for the
 * opponent. Higher is better: quick wins, slow wins, draws, slow losses, quick losses. A draw is 0, wins are
 * above it; all merits are integers of 32 bits.
 */
export function merit(after: Code): number {
  if (after === DRAW) return 0;
  return isLost(after) ? MOST_MERIT - plies(after) : plies(after) - MOST_MERIT;
}

/**
 * Returns the code of a position from the merit of its best successor: one ply more, up to the greatest
 * distance.
 */
export function codeBefore(best: number): Code {
  if (best === 0) return DRAW;
  const after = best > 0 ? MOST_MERIT - best : best + MOST_MERIT;
  return (best > 0 ? WON : LOST) + 2 * Math.min(after + 1, MOST_PLIES);
}
