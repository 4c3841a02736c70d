import { CLOSED, type Scene } from "./scene.js";

/** The keys of a board canvas, for its description. */
export const KEYS =
  "Arrow keys move the cursor, with Shift by eight cells. Plus and minus zoom, 0 shows the whole board. " +
  "Hold the space bar and drag to pan.";

/** Returns what a scene shows, for users of screen readers. */
export function describe({ height, width, squares, pieces, marks }: Scene): string {
  const board = `A board of ${height} ${height === 1 ? "row" : "rows"} and ${width} ${width === 1 ? "column" : "columns"}.`;
  const placed = (pieces ?? []).map(({ side, officer, cell }) => {
    const name =
      side === "thief" ? "The thief" : officer === undefined ? "The police" : `Officer ${officer + 1}`;
    return `${name} is on row ${cell[0]}, column ${cell[1]}.`;
  });
  const best = (marks ?? [])
    .filter(({ kind }) => kind === "best")
    .map(({ cell }) => `row ${cell[0]}, column ${cell[1]}`);
  const moves = best.length === 0 ? [] : [`Best moves: ${best.join("; ")}.`];
  const closed: string[] = [];
  for (let square = squares.indexOf(CLOSED); square >= 0; square = squares.indexOf(CLOSED, square + 1)) {
    closed.push(`row ${Math.floor(square / width)}, column ${square % width}`);
  }
  const doors = closed.length === 0 ? [] : [`Closed doors: ${closed.join("; ")}.`];
  return [board, ...placed, ...doors, ...moves].join(" ");
}
