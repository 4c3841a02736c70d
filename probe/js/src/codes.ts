import type { Side } from "./rules.js";

/** Who wins, `draw` if nobody does. */
export type Outcome = Side | "draw";

/** The value of a position. */
export interface Value {
  readonly outcome: Outcome;
  /** Distance to the win in plies, single moves of one side; `null` for a draw. */
  readonly dtw: number | null;
}

/**
 * A value as the format codes it, seen by the side to move: 0 is a draw, odd codes are losses, other even ones are
 * wins.
 */
export type Code = number;

export const DRAW: Code = 0;
export const LOST: Code = 1;
export const WON: Code = 2;

/** The greatest distance. */
const MOST_PLIES = 2 ** 30 - 1;

/** The greatest code: won in the greatest distance. */
export const MOST_CODE: Code = WON + 2 * MOST_PLIES;

/** Whether the side to move has lost. */
export function isLost(code: Code): boolean {
  return (code & 1) === 1;
}

/** The plies of a won or lost code. */
export function plies(code: Code): number {
  return (code - 1) >>> 1;
}

/** A code as a value, given who is to move. */
export function valueOf(code: Code, turn: Side): Value {
  if (code === DRAW) return { outcome: "draw", dtw: null };
  return { outcome: isLost(code) ? opponent(turn) : turn, dtw: plies(code) };
}

export function opponent(side: Side): Side {
  return side === "police" ? "thief" : "police";
}

/**
 * Orders the codes of a mover's choices, each seen by the other side, which is to move after it. The higher the better:
 * quick wins, slow wins, draws, slow losses, quick losses.
 */
export function merit(after: Code): number {
  if (after === DRAW) return 0;
  return isLost(after) ? 2 ** 32 - plies(after) : plies(after) - 2 ** 32;
}

/** The code of a position, given the best merit of its moves: one ply more, but never above the greatest distance. */
export function codeBefore(best: number): Code {
  if (best === 0) return DRAW;
  const after = best > 0 ? 2 ** 32 - best : best + 2 ** 32;
  return (best > 0 ? WON : LOST) + 2 * Math.min(after + 1, MOST_PLIES);
}
