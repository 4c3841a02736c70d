import type { Cell } from "../board.js";
import { type Code, DRAW, LOST, MOST_PLIES, WON } from "../codes.js";
import type { Side } from "../rules.js";
import type { Move, Position, Table } from "../table.js";

/** A legal move, with the position after it and the value of that position. */
export interface Choice<N extends number = number> extends Move<N> {
  /** The position after the move. */
  readonly position: Position;
}

/** Returns all moves of a position, best first. */
export function choicesOf<N extends number>(table: Table<N>, position: Position): Choice<N>[] {
  const moves = table.moves(position);
  const { police, thief } = position;
  if (position.turn === "police") {
    return moves.map((move): Choice<N> => ({ ...move, position: { police: move.to, thief, turn: "thief" } }));
  }
  return moves.map((move): Choice<N> => {
    // The thief's move leads to a single cell, however many officers there are.
    return { ...move, position: { police, thief: move.to as Cell, turn: "police" } };
  });
}

/** Returns the value of a move for the side that makes it, one ply longer than that of the position after. */
export function worthOf({ outcome, dtw }: Choice, mover: Side): Code {
  if (dtw === null) return DRAW;
  return (outcome === mover ? WON : LOST) + 2 * Math.min(dtw + 1, MOST_PLIES);
}
