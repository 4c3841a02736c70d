import type { Board, Cell, Kind, Side, Table } from "dragnet-probe";

/** The height of a board, which each layer of a grid has. */
type Height = Pick<Board, "height">;

/**
 * A table whose pieces have layers: boards of one size that stand one below the other on the grid of a side,
 * kind by kind. A *square* is a cell of the board, as one sees it from above.
 */
type Ground = Pick<Table, "board" | "kinds" | "places">;

/** Returns the square under a cell of a grid. */
export function squareUnder([row, column]: Cell, { height }: Height): Cell {
  return [row % height, column];
}

/** Returns the number of the layer of a cell of a grid. */
export function layerOf([row]: Cell, { height }: Height): number {
  return Math.floor(row / height);
}

/** Returns the cell of a grid on a square of a layer. */
export function onLayer([row, column]: Cell, layer: number, { height }: Height): Cell {
  return [layer * height + row, column];
}

/** Returns whether a piece of a side may stand on a cell of its grid. */
export function isPlace({ places }: Ground, side: Side, [row, column]: Cell): boolean {
  return places[side].has(row, column) && places[side].square(row, column) !== "wall";
}

/** Returns the layers of the kind that has a layer. */
function layersBeside({ kinds }: Ground, side: Side, layer: number): number[] {
  let first = 0;
  for (const { layers } of kinds[side]) {
    if (layer < first + layers.length) return [...layers.keys()].map((own) => first + own);
    first += layers.length;
  }
  return [];
}

/**
 * Returns the place of a side in another layer of the same kind, under or above a cell; `undefined` if there
 * is none.
 */
export function placeInLayer(ground: Ground, side: Side, cell: Cell, layer: number): Cell | undefined {
  const to = onLayer(squareUnder(cell, ground.board), layer, ground.board);
  const isOfKind = layersBeside(ground, side, layerOf(cell, ground.board)).includes(layer);
  return isOfKind && isPlace(ground, side, to) ? to : undefined;
}

/**
 * Returns the place on a square of a piece that stands on a cell: that in a layer, or else in the first layer
 * of the piece's kind that has one; `undefined` if there is none.
 */
export function placeOn(ground: Ground, side: Side, from: Cell, square: Cell, layer: number): Cell | undefined {
  const own = layersBeside(ground, side, layerOf(from, ground.board));
  const layers = [layer, ...own].filter((layer) => own.includes(layer));
  return layers.map((layer) => onLayer(square, layer, ground.board)).find((cell) => isPlace(ground, side, cell));
}

/** Returns the names of the layers of kinds, behind those of the kinds if there are several. */
export function layerNames(kinds: readonly Kind[]): string[] {
  const all = kinds.flatMap(({ name, layers }) => layers.map((layer) => (kinds.length > 1 ? [name, layer] : [layer])));
  return all.map((names, layer) => names.filter((name) => name !== "").join(", ") || `layer ${layer}`);
}
