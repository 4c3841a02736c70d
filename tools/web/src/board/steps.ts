import type { Cell } from "dragnet-probe";
import type { Scene } from "./scene.js";

/** A point of the board in cells; the middle of the first cell is 0.5, 0.5. */
export interface Point {
  readonly row: number;
  readonly column: number;
}

/** A straight line between two points of the board. */
export interface Segment {
  readonly from: Point;
  readonly to: Point;
}

type Torus = Pick<Scene, "height" | "width" | "wrap">;

/**
 * Returns the lines of a step between the middles of two cells. A step that is shorter over a joined edge is
 * two lines: one that leaves the board and one that comes back. Empty if the cells are equal.
 */
export function segmentsOf(from: Cell, to: Cell, { height, width, wrap }: Torus): Segment[] {
  const over = wrap ?? "none";
  const down = shortest(to[0] - from[0], height, over === "vertical" || over === "both");
  const right = shortest(to[1] - from[1], width, over === "horizontal" || over === "both");
  if (down === 0 && right === 0) return [];
  const start = { row: from[0] + 0.5, column: from[1] + 0.5 };
  const end = { row: to[0] + 0.5, column: to[1] + 0.5 };
  const leaves = down !== to[0] - from[0] || right !== to[1] - from[1];
  if (!leaves) return [{ from: start, to: end }];
  return [
    { from: start, to: { row: start.row + down / 2, column: start.column + right / 2 } },
    { from: { row: end.row - down / 2, column: end.column - right / 2 }, to: end },
  ];
}

/** Returns the lines of a way through the middles of cells, one run for each unbroken line. */
export function runsOf(cells: readonly Cell[], board: Torus): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] | undefined;
  for (let k = 1; k < cells.length; k++) {
    const segments = segmentsOf(cells[k - 1]!, cells[k]!, board);
    for (const [part, { from, to }] of segments.entries()) {
      if (run === undefined || part > 0) runs.push((run = [from]));
      run.push(to);
    }
  }
  return runs;
}

/** Returns a difference of coordinates, or the one over the edge if the edge is joined and it is shorter. */
function shortest(difference: number, size: number, joined: boolean): number {
  if (!joined || Math.abs(difference) * 2 <= size) return difference;
  return difference - Math.sign(difference) * size;
}
