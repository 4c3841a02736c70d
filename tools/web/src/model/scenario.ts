import type { Board, Cell } from "dragnet-probe";
import type { RulesObject } from "./board-rules.js";
import { isSameCell } from "./cell.js";

/** The kinds of squares, as a table stores them. */
export const WALL = 0;
export const OPEN = 1;
export const EXIT = 2;
/** A closed door, which no piece enters in the world that is shown. No board that is drawn has one. */
export const CLOSED = 3;

/** The kind of a square: one of these, or the character code of a letter or an arrow. */
export type Kind = number;

/** The characters of one-way squares, each with the step that its arrow shows: rows down, columns right. */
export const ARROWS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ">": [0, 1],
  "<": [0, -1],
  "^": [-1, 0],
  v: [1, 0],
};

/** Returns the character of a square with a letter or an arrow, `undefined` of others. */
export function letterOf(kind: Kind): string | undefined {
  return kind > CLOSED ? String.fromCharCode(kind) : undefined;
}

/** Returns whether a piece may stand on a square at the start: whether it is open and no exit. */
export function isFree(kind: Kind): boolean {
  return kind === OPEN || kind > CLOSED;
}

/** A guard who walks a round; the keys beside the round are those of a file of guards. */
export interface Guard extends RulesObject {
  readonly round: readonly Cell[];
}

/** The most rows and the most columns of a board that can be drawn. */
export const MOST_SIDE = 512;

/** The most officers on a board. */
export const MOST_OFFICERS = 6;

/**
 * A board, the cells on which the pieces start, and guards. It must not be changed in place. Pieces stand on
 * open squares that are no exits, and no two on one cell.
 */
export interface Scenario {
  readonly height: number;
  readonly width: number;
  /** The kind of each square in reading order. */
  readonly squares: Uint8Array;
  /** The officers' cells. */
  readonly police: readonly Cell[];
  readonly thief: Cell | undefined;
  readonly guards: readonly Guard[];
}

const KINDS = { wall: WALL, open: OPEN, exit: EXIT } as const;

/** Returns the kinds of all squares of a table's board in reading order. */
export function squaresOf(board: Board): Uint8Array {
  const { height, width } = board;
  return Uint8Array.from({ length: height * width }, (_, square) => KINDS[board.square(...cellOf(board, square))]);
}

/** Returns the number of a cell's square in reading order. */
export function squareOf({ width }: { readonly width: number }, [row, column]: Cell): number {
  return row * width + column;
}

/** Returns the cell of a square. */
export function cellOf({ width }: { readonly width: number }, square: number): Cell {
  const column = square % width;
  return [(square - column) / width, column];
}

/** Returns whether a cell is on the board. */
export function has(
  board: { readonly height: number; readonly width: number },
  [row, column]: Cell,
): boolean {
  return row >= 0 && row < board.height && column >= 0 && column < board.width;
}

/** Returns the number of the officer on a cell, `"thief"` for the thief, `undefined` if it is free. */
export function pieceAt({ police, thief }: Scenario, cell: Cell): number | "thief" | undefined {
  if (thief !== undefined && isSameCell(thief, cell)) return "thief";
  const officer = police.findIndex((other) => isSameCell(other, cell));
  return officer < 0 ? undefined : officer;
}

/** Returns the number of squares that are open or an exit. */
export function openCells({ squares }: Scenario): number {
  let open = 0;
  for (const kind of squares) if (kind !== WALL) open++;
  return open;
}

/** Returns a board without a wall and without pieces. */
export function openBoard(height: number, width: number): Scenario {
  return { height, width, squares: new Uint8Array(height * width).fill(OPEN), police: [], thief: undefined, guards: [] };
}

/**
 * Returns a scenario in which pieces that stand on no open square, or on another piece, have moved to the
 * nearest free one, the officers first. A scenario without a thief gets one, far from the police, and one
 * without officers and guards gets one. Where there is no free square, pieces are missing.
 */
export function settled(scenario: Scenario): Scenario {
  const taken = new Set<number>();
  const police: Cell[] = [];
  const wanted: readonly Cell[] = hasPolice(scenario) ? scenario.police : [[0, 0]];
  for (const cell of wanted.slice(0, MOST_OFFICERS)) {
    const free = nearestFree(scenario, cell, taken);
    if (free === undefined) break;
    taken.add(free);
    police.push(cellOf(scenario, free));
  }
  const corner: Cell = [scenario.height - 1, scenario.width - 1];
  const square = nearestFree(scenario, scenario.thief ?? corner, taken);
  const thief = square === undefined ? undefined : cellOf(scenario, square);
  return { ...scenario, police, thief };
}

/** Returns whether there is an officer or a guard. */
export function hasPolice({ police, guards }: Pick<Scenario, "police" | "guards">): boolean {
  return police.length > 0 || guards.length > 0;
}

/**
 * Returns the cell's own square if a piece may stand there, or else the open square without letter and piece
 * that is nearest to the cell; of several, the first.
 */
export function nearestFree(board: Scenario, from: Cell, taken: ReadonlySet<number>): number | undefined {
  const own = squareOf(board, from);
  if (has(board, from) && isFree(board.squares[own]!) && !taken.has(own)) return own;
  let best: number | undefined;
  let least = Infinity;
  for (let square = 0; square < board.squares.length; square++) {
    if (board.squares[square] !== OPEN || taken.has(square)) continue;
    const [row, column] = cellOf(board, square);
    const distance = (row - from[0]) ** 2 + (column - from[1]) ** 2;
    if (distance < least) [best, least] = [square, distance];
  }
  return best;
}

/** Returns a scenario with another number of officers; new ones stand beside the others. */
export function withOfficers(scenario: Scenario, count: number): Scenario {
  const police = scenario.police.slice(0, count);
  const taken = occupied(scenario);
  while (police.length < Math.min(count, MOST_OFFICERS)) {
    const free = nearestFree(scenario, police.at(-1) ?? [0, 0], taken);
    if (free === undefined) break;
    taken.add(free);
    police.push(cellOf(scenario, free));
  }
  return { ...scenario, police };
}

/** Returns the squares on which pieces stand. */
export function occupied(scenario: Scenario): Set<number> {
  const pieces = scenario.thief === undefined ? scenario.police : [...scenario.police, scenario.thief];
  return new Set(pieces.map((cell) => squareOf(scenario, cell)));
}
