import type { Board, Cell } from "./board.js";
import { DragnetError } from "./errors.js";
import type { Placement } from "./game.js";
import type { Kinds } from "./kind.js";
import { type Team, sortedTeam } from "./team-moves.js";
import type { Side } from "./rules.js";

/** A position: the world, the cells of all pieces, and the side to move. */
export interface Position {
  /** The number of the world, from 0; 0 by default. */
  readonly world?: number | undefined;
  /** The officer's cell, or the cells of several officers in any order. */
  readonly police: Cell | readonly Cell[];
  /** The thief's cell. */
  readonly thief: Cell;
  /** The side to move. */
  readonly turn: Side;
}

/** A position that names its world. */
export interface FullPosition extends Position {
  /** The number of the world, from 0. */
  readonly world: number;
}

/** A cell in a world, to which a piece may move. */
export interface Destination {
  /** The number of the world, from 0. */
  readonly world: number;
  readonly cell: Cell;
}

/** The part of a table that tells which positions there are. */
interface Ground {
  readonly worlds: number;
  readonly kinds: Kinds;
}

/**
 * Returns the numbers of the places of a position.
 *
 * @throws DragnetError of kind `position` if there is no such world, if a piece stands where it has no place,
 *   or if there is another number of officers
 */
export function placementOf(position: Position, { worlds, kinds: { police, thief } }: Ground): Placement {
  const turn = position?.turn;
  if (turn !== "police" && turn !== "thief") {
    throw new DragnetError("position", `turn: expected police or thief, found ${String(turn)}`);
  }
  const world = worldOf(position.world ?? 0, worlds);
  const team = teamOf(position.police, police.places, police.pieces);
  return { world, police: team, thief: thief.places.numberOf(position.thief, "thief"), turn };
}

/** Returns a world if it is one of so many; throws a {@link DragnetError} of kind `position` if it is not. */
export function worldOf(world: number, worlds: number): number {
  if (Number.isInteger(world) && world >= 0 && world < worlds) return world;
  throw new DragnetError("position", `world: expected 0 to ${worlds - 1}, found ${String(world)}`);
}

/** Returns the position after a move from another one. */
export function positionAfter(from: Position, { world, police, thief, turn }: Placement, kinds: Kinds): FullPosition {
  if (turn === "police") return { world, police: from.police, thief: kinds.thief.places.cellOf(thief), turn };
  return { world, police: policeCells(police, kinds), thief: from.thief, turn };
}

/** Returns the cell of a single officer, or the cells of several officers. */
export function policeCells(police: Team, { police: { places } }: Kinds): Cell | Cell[] {
  if (police.length === 1) return places.cellOf(police[0]!);
  return police.map((officer) => places.cellOf(officer));
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
