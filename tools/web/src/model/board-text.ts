import type { Cell } from "dragnet-probe";
import { EXIT, OPEN, type Scenario, WALL, letterOf, occupied, squareOf } from "./scenario.js";

/** Returns the number of pieces that the text form cannot mark, because their squares have a letter. */
export function unmarked(scenario: Scenario): number {
  return [...occupied(scenario)].filter((square) => scenario.squares[square] !== OPEN).length;
}

/**
 * Returns the text form of a scenario, walls as `#` and open squares as `.`. A square with a letter keeps it
 * if a piece stands there.
 */
export function writeText(scenario: Scenario): string {
  const { squares, height, width, police, thief } = scenario;
  const letter = (kind: number): string => letterOf(kind) ?? (kind === WALL ? "#" : kind === EXIT ? "E" : ".");
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from(squares.subarray(row * width, (row + 1) * width), letter),
  );
  const mark = (cell: Cell, letter: string): void => {
    if (squares[squareOf(scenario, cell)] === OPEN) rows[cell[0]]![cell[1]] = letter;
  };
  for (const cell of police) mark(cell, "P");
  if (thief !== undefined) mark(thief, "T");
  return rows.map((row) => `${row.join("")}\n`).join("");
}

/**
 * Returns whether a text has the lines of a graph, such as `0 1`, and not those of a board: the second line
 * that is not empty has a number or a word beside another, and no square.
 */
export function looksLikeGraph(text: string): boolean {
  const lines = text
    .slice(0, 4096)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = lines[1] ?? lines[0] ?? "";
  return /^\d+([ \t]+\d+)*$/.test(line) && lines.every((line) => !/^type[ \t]/.test(line));
}
