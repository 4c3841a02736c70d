import type { Board, Cell } from "./board.js";
import { refuse } from "./errors.js";
import type { Placement } from "./game.js";
import type { Kind, Kinds, Places } from "./kind.js";
import { type Team, sortedTeam } from "./team-moves.js";
import type { Rules, Side } from "./rules.js";

/** A position: the world, the cells of all pieces, and the side to move. */
export interface Position {
  /** The number of the world, from 0; 0 by default. */
  readonly world?: number | undefined;
  /** The officer's cell, or the cells of several officers in any order; an empty list if there are none. */
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
  readonly board: Board;
  readonly worlds: number;
  readonly rules: Rules;
  readonly kinds: Kinds;
  readonly places: Places;
}

/**
 * Returns the numbers of the places of a position.
 *
 * @throws DragnetError of kind `position` if there is no such world, if a piece stands where it has no place,
 *   or if there is another number of officers
 */
export function placementOf(position: Position, ground: Ground): Placement {
  const turn = position?.turn;
  if (turn !== "police" && turn !== "thief") refuse("position", "turn", "police or thief", turn);
  const world = worldOf(position.world ?? 0, ground.worlds);
  const police = teamOf(position.police, ground);
  return { world, police, thief: ground.places.thief.numberOf(position.thief, "thief"), turn };
}

/** Returns a world if it is one of so many; throws a {@link DragnetError} of kind `position` if it is not. */
export function worldOf(world: number, worlds: number): number {
  if (Number.isInteger(world) && world >= 0 && world < worlds) return world;
  refuse("position", "world", `0 to ${worlds - 1}`, world);
}

/** Returns the position after a move from another one. */
export function positionAfter(from: Position, { world, police, thief, turn }: Placement, places: Places): FullPosition {
  if (turn === "police") return { world, police: from.police, thief: places.thief.cellOf(thief), turn };
  return { world, police: policeCells(police, places.police), thief: from.thief, turn };
}

/** Returns the cell of a single officer, or the cells of several officers or none. */
export function policeCells(police: Team, places: Board): Cell | Cell[] {
  if (police.length === 1) return places.cellOf(police[0]!);
  return police.map((officer) => places.cellOf(officer));
}

/** Returns the cells of officers as a list. */
export function cellsOf(police: Position["police"]): readonly Cell[] {
  return police?.length === 0 || Array.isArray(police?.[0]) ? (police as readonly Cell[]) : [police as Cell];
}

function teamOf(police: Position["police"], { board, kinds, places, rules: { officers } }: Ground): Team {
  const cells = cellsOf(police);
  if (cells.length !== officers) {
    const expected = officers === 1 ? "the cell of 1 officer" : `the cells of ${officers} officers`;
    refuse("position", "police", expected, cells.length);
  }
  const team = sortedTeam(cells.map((cell) => places.police.numberOf(cell, "police")));
  if (kinds.police.length > 1) checkKinds(cells, kinds.police, board.height);
  return team;
}

/** Throws unless as many officers of each kind stand on its layers as there are, which have so many rows. */
function checkKinds(cells: readonly Cell[], kinds: readonly Kind[], rows: number): void {
  let first = 0;
  for (const [k, { pieces, layers }] of kinds.entries()) {
    const end = first + layers.length;
    const found = cells.filter(([row]) => row >= first * rows && row < end * rows).length;
    if (found !== pieces) {
      const expected = `${pieces} in layers ${first} to ${end - 1}, of kind ${k}`;
      refuse("position", "police", expected, found);
    }
    first = end;
  }
}
