import type { Cell, Position, Side, Table } from "dragnet-probe";
import { isPlace, layerNames, layerOf, squareUnder } from "../../model/layers.js";
import type { Setting } from "../../model/setting.js";

/** A position as the view holds it: the officers keep their order, which the table does not care for. */
export interface Placement {
  /** The number of the world, from 0. */
  readonly world: number;
  /** The officers' cells on the grid of the police. */
  readonly police: readonly Cell[];
  /** The thief's cell on his grid. */
  readonly thief: Cell;
  readonly turn: Side;
}

/** A piece: the thief, or an officer by its index. */
export type PieceName = "thief" | number;

/** Returns a placement as the reader takes it. */
export function asked({ world, police, thief, turn }: Placement): Position {
  return { world, police: police.length === 1 ? police[0]! : police, thief, turn };
}

/** Returns the side of a piece. */
export function sideOf(piece: PieceName): Side {
  return piece === "thief" ? "thief" : "police";
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
export function keyOf({ world, police, thief, turn }: Placement): string {
  return `${world}|${police.join(";")}|${thief.join()}|${turn}`;
}

/** Returns a cell as the program writes it: row and column. */
export function cellText(cell: Cell): string {
  return `${cell[0]},${cell[1]}`;
}

/** Returns the name of a square of the board of a table: the vertex if it is a graph, else row and column. */
export function squareName(square: Cell, { edges }: Setting): string {
  return edges === null ? cellText(square) : String(square[1]);
}

/** A table with what its source says. */
export interface Named {
  readonly table: Table;
  readonly setting: Setting;
}

/** Returns the name of a cell of a side's grid: that of its square, and of its layer if there are several. */
export function cellName(cell: Cell, side: Side, { table: { board, kinds }, setting }: Named): string {
  const name = squareName(squareUnder(cell, board), setting);
  const names = layerNames(kinds[side]);
  return names.length === 1 ? name : `${name} ${names[layerOf(cell, board)]}`;
}

/** Returns the names of the cells that a move of a side leads to. */
export function cellNames(to: Cell | readonly Cell[], side: Side, named: Named): string {
  const cells = (typeof to[0] === "number" ? [to] : to) as readonly Cell[];
  return cells.map((cell) => cellName(cell, side, named)).join(" ");
}

/** Returns a position as text: the world if there are several, the pieces, and the side to move. */
export function placementText({ world, police, thief, turn }: Placement, named: Named): string {
  const inWorld = named.table.worlds === 1 ? "" : `world ${world}, `;
  const pieces = `police ${cellNames(police, "police", named)}, thief ${cellName(thief, "thief", named)}`;
  return `${inWorld}${pieces}, ${turn} to move`;
}

/** Returns the officers' cells as a link has them. */
export function teamText(police: readonly Cell[]): string {
  return police.map(cellText).join(";");
}

/**
 * Reads the position of a link. Where the link says nothing, it is in world 0, the officers start in the
 * first places of their kind and the thief in the last one that is no exit.
 */
export function readPlacement(parameters: URLSearchParams, table: Table): Placement {
  const [world, police, thief, turn] = ["world", "police", "thief", "turn"].map((name) => parameters.get(name));
  const start = startOf(table);
  if (turn !== null && turn !== undefined && turn !== "police" && turn !== "thief") {
    throw new Error(`link, turn: expected police or thief, found ${turn}`);
  }
  return {
    world: world ? readWorld(world, table) : 0,
    police: police ? readTeam(police, table) : start.police,
    thief: thief ? readCell("thief", thief, table) : start.thief,
    turn: turn === "thief" ? "thief" : "police",
  };
}

function startOf({ board, kinds, places }: Table): Pick<Placement, "police" | "thief"> {
  const cells = places.police.cells();
  const thief = places.thief.cells();
  const isInside = (cell: Cell): boolean => board.square(...squareUnder(cell, board)) === "open";
  let first = 0;
  const police = kinds.police.flatMap(({ pieces, layers }) => {
    const end = first + layers.length;
    const own = cells.filter((cell) => layerOf(cell, board) >= first && layerOf(cell, board) < end);
    first = end;
    return Array.from({ length: pieces }, (_, k) => own[Math.min(k, own.length - 1)]!);
  });
  return { police, thief: thief.findLast(isInside) ?? thief.at(-1)! };
}

function readWorld(text: string, { worlds }: Table): number {
  const world = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (world < worlds) return world;
  throw new Error(`link, world: expected 0 to ${worlds - 1}, found ${text}`);
}

function readTeam(text: string, table: Table): Cell[] {
  const { officers } = table.rules;
  const cells = text.split(";").map((part) => readCell("police", part, table));
  if (cells.length !== officers) {
    throw new Error(`link, police: expected ${officers} cells with semicolons between them, found ${text}`);
  }
  return cells;
}

function readCell(side: Side, text: string, table: Table): Cell {
  const found = /^(\d{1,7}),(\d{1,7})$/.exec(text);
  if (found === null)
    throw new Error(`link, ${side}: expected a row and a column such as 7,1, found ${text}`);
  const cell: Cell = [Number(found[1]), Number(found[2])];
  const places = table.places[side];
  if (!places.has(...cell)) {
    const most = `${places.height - 1},${places.width - 1}`;
    throw new Error(`link, ${side}: expected a cell of the board, 0,0 to ${most}, found ${text}`);
  }
  if (!isPlace(table, side, cell))
    throw new Error(`link, ${side}: expected an open cell, found a wall at ${text}`);
  return cell;
}
