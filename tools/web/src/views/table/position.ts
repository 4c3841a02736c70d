import type { Cell, Position, Side, Table } from "dragnet-probe";
import type { Setting } from "../../model/setting.js";

/** A position as the view holds it: the officers keep their order, which the table does not care for. */
export interface Placement {
  readonly police: readonly Cell[];
  readonly thief: Cell;
  readonly turn: Side;
}

/** A piece: the thief, or an officer by its index. */
export type PieceName = "thief" | number;

/** Returns a placement as the reader takes it. */
export function asked({ police, thief, turn }: Placement): Position {
  return { police: police.length === 1 ? police[0]! : police, thief, turn };
}

/** Returns the cell of a piece. */
export function cellOf(placement: Placement, piece: PieceName): Cell {
  return piece === "thief" ? placement.thief : placement.police[piece]!;
}

/** Returns the placement with a piece on another cell. */
export function placed(placement: Placement, piece: PieceName, cell: Cell): Placement {
  if (piece === "thief") return { ...placement, thief: cell };
  return { ...placement, police: placement.police.map((from, officer) => (officer === piece ? cell : from)) };
}

/** Returns whether two placements are the same, officers in the same order. */
export function isEqual(a: Placement, b: Placement): boolean {
  return keyOf(a) === keyOf(b);
}

/** Returns a text that tells placements apart. */
export function keyOf({ police, thief, turn }: Placement): string {
  return `${police.join(";")}|${thief.join()}|${turn}`;
}

/** Returns a cell as the program writes it: row and column. */
export function cellText(cell: Cell): string {
  return `${cell[0]},${cell[1]}`;
}

/** Returns the name of a cell on the board of a table: the vertex if it is a graph, else row and column. */
export function cellName(cell: Cell, { edges }: Setting): string {
  return edges === null ? cellText(cell) : String(cell[1]);
}

/** Returns a cell, or the cells of several officers, as text. */
export function cellsText(to: Cell | readonly Cell[]): string {
  return typeof to[0] === "number" ? cellText(to as Cell) : (to as readonly Cell[]).map(cellText).join(" ");
}

/** Returns the names of the cells that a move leads to. */
export function cellNames(to: Cell | readonly Cell[], setting: Setting): string {
  const cells = (typeof to[0] === "number" ? [to] : to) as readonly Cell[];
  return cells.map((cell) => cellName(cell, setting)).join(" ");
}

/** Returns the officers' cells as a link has them. */
export function teamText(police: readonly Cell[]): string {
  return police.map(cellText).join(";");
}

/**
 * Reads the position of a link. Where the link says nothing, the officers start in the first cells of the
 * board and the thief in the last one.
 */
export function readPlacement(parameters: URLSearchParams, table: Table): Placement {
  const [police, thief, turn] = ["police", "thief", "turn"].map((name) => parameters.get(name));
  const start = startOf(table);
  if (turn !== null && turn !== undefined && turn !== "police" && turn !== "thief") {
    throw new Error(`link, turn: expected police or thief, found ${turn}`);
  }
  return {
    police: police ? readTeam(police, table) : start.police,
    thief: thief ? readCell("thief", thief, table) : start.thief,
    turn: turn === "thief" ? "thief" : "police",
  };
}

/** Returns the cells of all squares on which a piece can stand, in reading order. */
export function openCells({ board }: Table): Cell[] {
  const cells: Cell[] = [];
  for (let row = 0; row < board.height; row++) {
    for (let column = 0; column < board.width; column++) {
      if (board.square(row, column) !== "wall") cells.push([row, column]);
    }
  }
  return cells;
}

function startOf(table: Table): Placement {
  const cells = openCells(table);
  const inside = cells.filter(([row, column]) => table.board.square(row, column) === "open");
  const police = Array.from(
    { length: table.rules.officers },
    (_, k) => cells[Math.min(k, cells.length - 1)]!,
  );
  return { police, thief: inside.at(-1) ?? cells.at(-1)!, turn: "police" };
}

function readTeam(text: string, table: Table): Cell[] {
  const { officers } = table.rules;
  const cells = text.split(";").map((part) => readCell("police", part, table));
  if (cells.length !== officers) {
    throw new Error(`link, police: expected ${officers} cells with semicolons between them, found ${text}`);
  }
  return cells;
}

function readCell(name: string, text: string, { board }: Table): Cell {
  const found = /^(\d{1,7}),(\d{1,7})$/.exec(text);
  if (found === null)
    throw new Error(`link, ${name}: expected a row and a column such as 7,1, found ${text}`);
  const [row, column] = [Number(found[1]), Number(found[2])];
  if (!board.has(row, column)) {
    const most = `${board.height - 1},${board.width - 1}`;
    throw new Error(`link, ${name}: expected a cell of the board, 0,0 to ${most}, found ${text}`);
  }
  if (board.square(row, column) === "wall")
    throw new Error(`link, ${name}: expected an open cell, found a wall at ${text}`);
  return [row, column];
}
