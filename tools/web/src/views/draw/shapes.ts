import type { Cell } from "dragnet-probe";
import { cellOf, squareOf } from "../../model/scenario.js";

/** A rectangle of squares, and their kinds. */
interface Board {
  readonly height: number;
  readonly width: number;
  readonly squares: Uint8Array;
}

/** Returns the cells of a straight line, both ends included, each a king's step from the one before. */
export function line(from: Cell, to: Cell): Cell[] {
  const [down, right] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(down), Math.abs(right));
  return Array.from({ length: steps + 1 }, (_, step): Cell => {
    const share = steps === 0 ? 0 : step / steps;
    return [from[0] + Math.round(down * share), from[1] + Math.round(right * share)];
  });
}

/** Returns the cells of a rectangle with these corners, or only those of its frame. */
export function rectangle(from: Cell, to: Cell, frame = false): Cell[] {
  const [top, bottom] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const [left, right] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  const cells: Cell[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      if (!frame || row === top || row === bottom || column === left || column === right)
        cells.push([row, column]);
    }
  }
  return cells;
}

/** Returns the cells of the same kind that hang together with a cell by steps in rows and columns. */
export function region(board: Board, from: Cell): Cell[] {
  const { height, width, squares } = board;
  const start = squareOf(board, from);
  const kind = squares[start];
  const seen = new Uint8Array(squares.length);
  const found = [start];
  seen[start] = 1;
  const reach = (square: number): void => {
    if (seen[square] === 1 || squares[square] !== kind) return;
    seen[square] = 1;
    found.push(square);
  };
  for (let at = 0; at < found.length; at++) {
    const square = found[at]!;
    const column = square % width;
    if (square >= width) reach(square - width);
    if (square < (height - 1) * width) reach(square + width);
    if (column > 0) reach(square - 1);
    if (column < width - 1) reach(square + 1);
  }
  return found.map((square) => cellOf(board, square));
}
