import type { Board, Cell } from "./board.js";
import { DragnetError } from "./errors.js";
import type { Placement } from "./game.js";
import type { Kinds } from "./kind.js";
import type { Side } from "./rules.js";
import { type Team, sortedTeam } from "./team-moves.js";

/** A position: the cells of all pieces, and the side to move. */
export interface Position {
  /** The officer's cell, or the cells of several officers in any order. */
  readonly police: Cell | readonly Cell[];
  /** The thief's cell. */
  readonly thief: Cell;
  /** The side to move. */
  readonly turn: Side;
}

/**
 * Returns the numbers of the places of a position.
 *
 * @throws DragnetError of kind `position` if a piece stands where it has no place, or if there is another
 *   number of officers
 */
export function placementOf(position: Position, { police, thief }: Kinds): Placement {
  const turn = position?.turn;
  if (turn !== "police" && turn !== "thief") {
    throw new DragnetError("position", `turn: expected police or thief, found ${String(turn)}`);
  }
  const team = teamOf(position.police, police.places, police.pieces);
  return { police: team, thief: thief.places.numberOf(position.thief, "thief"), turn };
}

function teamOf(police: Position["police"], board: Board, officers: number): Team {
  const several = Array.isArray(police?.[0]);
  const cells = (several ? police : [police]) as readonly Cell[];
  if (cells.length !== officers) {
    const expected = officers === 1 ? "the cell of 1 officer" : `the cells of ${officers} officers`;
    throw new DragnetError("position", `police: expected ${expected}, found ${cells.length}`);
  }
  return sortedTeam(cells.map((cell) => board.numberOf(cell, "police")));
}
