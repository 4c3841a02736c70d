import type { Board, Cell, Kind, Side, Table } from "dragnet-probe";

/**
 * A table whose pieces have layers: boards of one size that stand one below the other on the grid of a kind.
 * A *square* is a cell of the board, as one sees it from above.
 */
type Ground = Pick<Table, "board" | "kinds">;

/** Returns the square under a cell of a grid. */
export function squareUnder([row, column]: Cell, { height }: Board): Cell {
  return [row % height, column];
}

/** Returns the number of the layer of a cell of a grid. */
export function layerOf([row]: Cell, { height }: Board): number {
  return Math.floor(row / height);
}

/** Returns the cell of a grid on a square of a layer. */
export function onLayer([row, column]: Cell, layer: number, { height }: Board): Cell {
  return [layer * height + row, column];
}

/** Returns whether a piece of a side may stand on a cell of its grid. */
export function isPlace({ kinds }: Ground, side: Side, [row, column]: Cell): boolean {
  const { places } = kinds[side];
  return places.has(row, column) && places.square(row, column) !== "wall";
}

/**
 * Returns the place of a side on a square: that in a layer, or else in the first layer that has one;
 * `undefined` if there is none.
 */
export function placeOn(ground: Ground, side: Side, square: Cell, layer: number): Cell | undefined {
  const layers = [layer, ...ground.kinds[side].layers.keys()];
  return layers.map((layer) => onLayer(square, layer, ground.board)).find((cell) => isPlace(ground, side, cell));
}

/** Returns the name of a layer; its number, from 0, if it has none. */
export function layerName({ layers }: Kind, layer: number): string {
  return layers[layer] || `layer ${layer}`;
}
