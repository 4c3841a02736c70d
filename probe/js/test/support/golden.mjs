import { readFileSync } from "node:fs";

const FOLDER = new URL("../../../../formats/tests/golden/", import.meta.url);

/** The golden tables that both favours have. */
export const GOLDEN = ["v1-size", "v1-speed"];

export function goldenBytes(name) {
  return new Uint8Array(readFileSync(new URL(`${name}.dtb`, FOLDER)));
}

export function goldenDump(name) {
  return readFileSync(new URL(`${name}.txt`, FOLDER), "utf8");
}

/** All positions of a table that have both pieces on open cells. */
export function* positions(table) {
  const cells = openCells(table.board);
  for (const turn of ["police", "thief"]) {
    for (const police of cells) for (const thief of cells) yield { police, thief, turn };
  }
}

export function openCells(board) {
  const cells = [];
  for (let row = 0; row < board.height; row++) {
    for (let column = 0; column < board.width; column++) {
      if (board.square(row, column) !== "wall") cells.push([row, column]);
    }
  }
  return cells;
}
